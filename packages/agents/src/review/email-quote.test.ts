import { describe, expect, test } from 'vitest';
import { summonedBy } from './mention.ts';

const ask = (text: string) => summonedBy(text, ['horton']);

describe('T-133 an answer by e-mail', () => {
  const older = '\n\n@horton review\n\n—\nReply to this email directly, view it on GitHub.';

  test.each([
    'On Mon, 3 Aug 2026 at 10:12, Alice <notifications@github.com> wrote:',
    'On Mon, Aug 3, 2026 at 10:12 AM Alice of the Very Long Name\n<notifications@github.com>\nwrote:',
    'Le lun. 3 août 2026 à 10:12, Alice a écrit :',
    'Am 03.08.2026 um 10:12 schrieb Alice <a@example.com>:',
    'El lun, 3 ago 2026 a las 10:12, Alice escribió:',
    'Il giorno lun 3 ago 2026 alle 10:12 Alice ha scritto:',
    'Em seg., 3 de ago. de 2026 às 10:12, Alice escreveu:',
    'Op ma 3 aug. 2026 om 10:12 schreef Alice:',
    'Den mån 3 aug. 2026 kl 10:12 skrev Alice:',
    'W dniu 03.08.2026 o 10:12, Alice napisał(a):',
    'пн, 3 авг. 2026 г. в 10:12, Alice пишет:',
    'Alice 于2026年8月3日 10:12写道：',
    '2026-08-03 10:12 GMT+02:00 Alice <a@example.com>:',
    '-----Original Message-----',
    '________________________________\nFrom: Alice\nSent: Monday, August 3, 2026\nSubject: Re: [o/r] a change',
    '**Von:** Alice\n**Gesendet:** Montag, 3. August 2026',
    '—\nReply to this email directly, view it on GitHub, or unsubscribe.',
  ])('does not repeat what stands below %j', (line) => {
    expect(ask(`I agree.\n\n${line}${older}`)).toBeUndefined();
    expect(ask(`I agree.\n${line}${older}`)).toBeUndefined();
    expect(ask(`@horton status\n\n${line}${older}`)).toEqual({ kind: 'status' });
  });

  test('counts below the lines that it quotes', () => {
    const line = 'On Mon, 3 Aug 2026 at 10:12, Alice wrote:';
    expect(ask(`${line}\n> Is this right?\n\n@horton review`)).toEqual({ kind: 'review' });
    expect(ask(`${line}\n> @horton review\n\nI agree.`)).toBeUndefined();
  });

  test.each([
    'On Monday I wrote:\n\n@horton review',
    'From: a to b\n\n@horton review',
    'On 3 August Alice wrote: fine.\n\n@horton review',
  ])('is not seen in prose: %j', (text) => {
    expect(ask(text)).toEqual({ kind: 'review' });
  });
});
