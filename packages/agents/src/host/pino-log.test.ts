import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createLog, type LogOptions } from './pino-log.ts';

function harness(options: Omit<LogOptions, 'destination'>) {
  const lines: string[] = [];
  const log = createLog({ ...options, destination: { write: (line) => void lines.push(line) } });
  return { log, lines, objects: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const token = `gh${'s'}_${'a1B2'.repeat(9)}`;

describe('createLog', () => {
  it('writes one JSON object a line', () => {
    const { log, lines, objects } = harness({ level: 'info' });
    log.info('delivery received', { deliveryId: 'guid', count: 2 });
    log.error('two\nlines');
    expect(objects()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        deliveryId: 'guid',
        count: 2,
        message: 'delivery received',
      },
      { level: 'error', time: expect.any(String), message: 'two\nlines' },
    ]);
    for (const line of lines) expect(line).toMatch(/^[^\n]+\n$/);
  });

  it('drops what is below its level', () => {
    const { log, objects } = harness({ level: 'warn' });
    for (const method of ['debug', 'info', 'warn', 'error'] as const) log[method](method);
    expect(objects().map((line) => line.message)).toEqual(['warn', 'error']);
    const silent = harness({ level: 'silent' });
    silent.log.error('nobody hears it');
    expect(silent.lines).toEqual([]);
  });

  it('carries the fields of a child on each line, its own children too', () => {
    const { log, objects } = harness({ level: 'debug' });
    log.child({ pr: 7 }).child({ aspect: 'perf' }).debug('x', { n: 1 });
    expect(objects()).toMatchObject([{ pr: 7, aspect: 'perf', n: 1, message: 'x' }]);
  });

  it('shows no secret in message, fields or fields of a child', () => {
    const { log, lines } = harness({ level: 'info' });
    log
      .child({ auth: `token ${token}` })
      .warn(`refused ${token}`, { error: new Error(token), apiKey: 'key-1' });
    expect(lines.join('')).not.toMatch(/a1B2|key-1/);
    expect(lines.join('').match(/\[secret\]/g)?.length).toBeGreaterThanOrEqual(4);
  });

  it('survives fields that are no record', () => {
    const { log, objects } = harness({ level: 'info' });
    const hostile = {
      toJSON() {
        throw new Error('no');
      },
    };
    log.info('still here', hostile);
    expect(objects()).toMatchObject([{ message: 'still here', fields: '[unreadable]' }]);
  });

  it('writes for people when asked', () => {
    const { log, lines } = harness({ level: 'info', pretty: true });
    log.warn('round late', { pr: 'o/r#7', why: 'two words', n: 3, list: ['a'] });
    expect(lines).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d\.\d{3} WARN {2}round late pr=o\/r#7 why="two words" n=3 list=\["a"\]\n$/,
      ),
    ]);
  });

  it('goes to standard error, whole, also when the process ends at once', () => {
    const module = fileURLToPath(new URL('./pino-log.ts', import.meta.url));
    const script = `
      import { createLog } from ${JSON.stringify(module)};
      const log = createLog({ level: 'info' });
      for (let n = 0; n < 500; n += 1) log.info('line', { n });
      process.exit(0);`;
    const child = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(child.stdout).toBe('');
    expect(
      child.stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).n),
    ).toEqual([...Array(500).keys()]);
  });
});
