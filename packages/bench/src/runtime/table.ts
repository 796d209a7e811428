/**
 * The findings for people. Pure.
 *
 * @module
 */

import { FIGURES, type Figure, type FigureKey, isMet } from './figures.ts';
import type { Findings } from './suite.ts';

const HEADINGS = ['figure', 'median', 'min', 'max', 'target', 'met', 'what'];

function targetText({ target }: Figure): string {
  return 'atMost' in target ? `<= ${target.atMost}` : `>= ${target.atLeast}`;
}

/** One line for each figure, and the machine under it. */
export function renderTable(findings: Findings, machine: string): string {
  const rows = (Object.keys(findings) as FigureKey[]).flatMap((key) => {
    const summary = findings[key];
    if (summary === undefined) return [];
    const { median, min, max } = summary;
    const met = isMet(key, median) ? 'yes' : 'NO';
    return [[key, `${median}`, `${min}`, `${max}`, targetText(FIGURES[key]), met, FIGURES[key].what]];
  });
  const lines = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const text = lines.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const runs = Object.values(findings)[0]?.runs ?? 0;
  return `${text.map((line) => line.trimEnd()).join('\n')}\n\nMedians of ${runs} runs after a warm-up. ${machine}\n`;
}
