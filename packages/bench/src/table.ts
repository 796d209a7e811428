/**
 * The findings for people. Pure.
 *
 * @module
 */

import { type Figure, type Figures, isMet } from './figures.ts';
import type { Findings } from './suite.ts';

const HEADINGS = ['figure', 'median', 'min', 'max', 'runs', 'target', 'met', 'what'];

function targetText({ target }: Figure): string {
  return 'atMost' in target ? `<= ${target.atMost}` : `>= ${target.atLeast}`;
}

/** Cells in columns, each as wide as its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const cells of rows) {
    for (const [column, cell] of cells.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** One line for each figure that was measured, in the order of the figures, and the machine under it. */
export function renderTable<TKey extends string>(
  figures: Figures<TKey>,
  findings: Findings<TKey>,
  machine: string,
): string {
  const rows = (Object.keys(figures) as TKey[]).flatMap((key) => {
    const summary = findings[key];
    if (summary === undefined) return [];
    const figure = figures[key];
    const { median, min, max, runs } = summary;
    const met = isMet(figure, median) ? 'yes' : 'NO';
    return [[key, `${median}`, `${min}`, `${max}`, `${runs}`, targetText(figure), met, figure.what]];
  });
  return `${alignColumns([HEADINGS, ...rows]).join('\n')}\n\nMedians of runs after a warm-up. ${machine}\n`;
}
