/**
 * What a figure is, for every suite.
 *
 * @module
 */

/** A figure: what it is, and its target. */
export interface Figure {
  readonly what: string;
  readonly target: { readonly atMost: number } | { readonly atLeast: number };
}

/** The figures of a suite by key, in the order of the table. A key names its unit, where there is one. */
export type Figures<TKey extends string> = Readonly<Record<TKey, Figure>>;

/** Whether a value reaches the figure's target. */
export function isMet({ target }: Figure, value: number): boolean {
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
}
