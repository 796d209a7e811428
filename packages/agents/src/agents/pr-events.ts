/**
 * Events of PRs as they reach an entity: as messages, or as rows of a webhook bucket.
 *
 * @module
 */
import { type PrEvent, parseWebhookRow } from '../github-events.ts';
import type { InboxMessage, WakeNotice } from './context.ts';

/** Events that were sent as `github_event` messages. */
export function sentEvents(messages: readonly InboxMessage[]): readonly PrEvent[] {
  return messages.flatMap((message) =>
    message.message_type === 'github_event' ? [(message.payload as { readonly event: PrEvent }).event] : [],
  );
}

/** The rows that notices name; bodies are large, so nothing else is read. */
export function namedRows<Row>(
  notices: readonly WakeNotice[],
  rows: { get(key: string): Row | undefined },
): readonly Row[] {
  return notices.flatMap((notice) => notice.changes.flatMap((change) => rows.get(change.key) ?? []));
}

/** What rows of a bucket tell; those that tell nothing of a PR are left out. */
export function eventsOfRows(rows: readonly Parameters<typeof parseWebhookRow>[0][]): readonly PrEvent[] {
  return rows.flatMap((row) => {
    const parsed = parseWebhookRow(row);
    return parsed.kind === 'event' ? [parsed.event] : [];
  });
}
