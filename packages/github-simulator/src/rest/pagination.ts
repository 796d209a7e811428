import type { World } from '../world/world.ts';
import type { Ctx } from './env.ts';

const DEFAULT_PER_PAGE = 30;
const MAX_PER_PAGE = 100;

export interface Page {
  readonly number: number;
  readonly size: number;
}

/** `page` and `per_page` of a request, within GitHub's bounds. What is no number counts as absent. */
export function requestedPage(c: Ctx): Page {
  const size = Number.parseInt(c.req.query('per_page') ?? '', 10);
  const number = Number.parseInt(c.req.query('page') ?? '', 10);
  return {
    number: Math.max(1, number || 1),
    size: size >= 1 ? Math.min(size, MAX_PER_PAGE) : DEFAULT_PER_PAGE,
  };
}

/** Takes the requested page of a list and sets the `Link` header that leads to the others. */
export function paginate<T>(c: Ctx, world: World, all: readonly T[]): readonly T[] {
  const page = requestedPage(c);
  const last = Math.max(1, Math.ceil(all.length / page.size));
  const links = linkTargets(page.number, last).map(([rel, number]) => {
    const url = new URL(c.req.url);
    url.searchParams.set('per_page', String(page.size));
    url.searchParams.set('page', String(number));
    return `<${world.url}${url.pathname}${url.search}>; rel="${rel}"`;
  });
  if (links.length > 0) c.header('Link', links.join(', '));
  return all.slice((page.number - 1) * page.size, page.number * page.size);
}

function linkTargets(current: number, last: number): readonly (readonly [string, number])[] {
  return [
    ...(current > 1 ? [['prev', Math.min(current - 1, last)] as const] : []),
    ...(current < last ? [['next', current + 1] as const, ['last', last] as const] : []),
    ...(current > 1 ? [['first', 1] as const] : []),
  ];
}
