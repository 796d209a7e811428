/**
 * A pass that was aborted before its work was done.
 *
 * @module
 */
import { FactoryError } from '../errors.ts';

/**
 * Thrown so that the pass does not count as done: a host that is closing runs it again after its next start
 * (S2). Where it was aborted for another reason, the next message finds the work.
 */
export class PassAbandonedError extends FactoryError {
  override readonly code = 'PASS_ABANDONED';
  override readonly retryable = true;

  constructor(entityUrl: string) {
    super(`${entityUrl} was stopped before its work was done.`);
  }
}
