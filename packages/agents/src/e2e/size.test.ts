import { describe, expect, it, onTestFinished } from 'vitest';
import { playRound } from '../model/testing/answers.ts';
import { chooseAt, MODELS } from '../model/testing/client.ts';
import { startProviderServer } from '../model/testing/provider-server.ts';
import { openStage } from './testing/stage.ts';

/** Source files of some 40,000 characters each, of which a round can read seven. */
function large(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, file) => [
      `src/module-${String(file).padStart(2, '0')}.ts`,
      Array.from(
        { length: 600 },
        (_line, n) => `export const value${n} = compute(${file}, ${n}, 'some words');\n`,
      ).join(''),
    ]),
  );
}

const yarn = (name: string, host: string) =>
  `${name}@^1.0.0:\n  version "1.0.0"\n  resolved "${host}/${name}/-/${name}-1.0.0.tgz#1f"\n\n`;

describe('a pull request that is too large to be read whole', () => {
  it('T-079 T-080 gets no claim about what was not read, and says what that is', async () => {
    const claim = (file: string) => ({ severity: 'critical', file, message: `Broken in ${file}.` }) as const;
    const provider = await startProviderServer({
      answer: playRound({
        findings: { correctness: [claim('src/module-00.ts'), claim('src/module-19.ts')] },
      }),
    });
    onTestFinished(() => provider.close());
    const stage = await openStage({ model: chooseAt(provider.url, MODELS[0]) });
    await stage.commit('feature', large(20));
    await stage.simulator.openPullRequest({
      head: 'feature',
      base: 'main',
      title: 'Add modules',
      author: 'ada',
    });
    const { body } = await stage.published(1);
    expect(body).toContain('Broken in src/module-00.ts');
    expect(body).not.toContain('Broken in src/module-19.ts');
    expect(body).toContain('1 remark about files that were not read left out.');
    expect(body).toMatch(/\*\*Not read\*\*: `src\/module-\d\d\.ts`.*\(no room in this round\)/);
    expect(body).toMatch(/1\d files of 20 not read/);
    // What was selected was shown whole, so that nobody's part is called incomplete besides.
    expect(body).not.toContain('partial');
    const [request] = provider.requests;
    expect(request?.userText).toContain('"src/module-19.ts" added, +600 -0; NOT SHOWN: no room');
    expect(request?.userText).not.toContain('CUT');
  });
});

describe('T-083 a lock file', () => {
  it('is told to security alone, whose remark on it is published', async () => {
    const remark = {
      severity: 'critical',
      file: 'yarn.lock',
      message: 'A package comes from evil.example.',
    } as const;
    const provider = await startProviderServer({
      answer: playRound({ findings: { security: [remark], tests: [remark] } }),
    });
    onTestFinished(() => provider.close());
    const stage = await openStage({ model: chooseAt(provider.url, MODELS[0]) });
    await stage.commit('feature', {
      'yarn.lock': yarn('evil', 'http://evil.example'),
      'src/a.ts': 'export const a = 1;\n',
    });
    await stage.simulator.openPullRequest({ head: 'feature', base: 'main', title: 'Add a', author: 'ada' });
    const { body } = await stage.published(1);
    expect(body.match(/A package comes from evil/g)).toHaveLength(1);
    expect(body).toContain('`yarn.lock` (lock file, sources only)');
    const told = provider.requests.filter((request) => request.userText.includes('evil.example/evil'));
    expect(told.map((request) => request.aspect)).toEqual(['security']);
  });

  it('is judged by the analyzers, too, and is fixed when the source is', async () => {
    const stage = await openStage();
    await stage.commit('feature', { 'yarn.lock': yarn('ant', 'http://evil.example') });
    await stage.simulator.openPullRequest({ head: 'feature', base: 'main', title: 'Add ant', author: 'ada' });
    expect((await stage.published(1)).body).toContain('`ant` is fetched without encryption');
    const sha = await stage.commit('feature', { 'yarn.lock': yarn('ant', 'https://registry.yarnpkg.com') });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    const { body } = await stage.published(2);
    expect(body).toContain('Fixed 1');
  });
});
