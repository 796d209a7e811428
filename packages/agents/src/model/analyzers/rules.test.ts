import { expect, it } from 'vitest';
import { ASPECTS } from '../../ids.ts';
import { RULES } from './rules.ts';

it('each aspect has rules, and each rule a name of its own', () => {
  const names = RULES.map((rule) => `${rule.aspect}/${rule.id}`);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(RULES.map((rule) => rule.aspect))).toEqual(new Set(ASPECTS));
});
