/**
 * Loads the Shepherd's playbook by the runtime's own skill tools. A loaded skill stays in the entity, so it
 * is loaded anew only when its file changed.
 *
 * @module
 */
import { createSkillTools, type SkillsRegistry } from '@electric-ax/agents-runtime';
import type { Ctx } from './context.ts';
import type { RowStore } from './inbox.ts';
import { type OwnRow, readOwn, writeOwn } from './shepherd-state.ts';

const SKILL = 'reviewing-pull-requests';
const CONTEXT_ID = `skill:${SKILL}`;

/** Makes sure that the skill is loaded in its present form, and returns its text. */
export async function loadSkill(
  ctx: Pick<
    Ctx<{ readonly own: RowStore<OwnRow> }>,
    'state' | 'insertContext' | 'removeContext' | 'getContext'
  >,
  skills: SkillsRegistry,
): Promise<string> {
  const contentHash = skills.catalog.get(SKILL)?.contentHash;
  const tools = createSkillTools(skills, ctx);
  const call = async (name: string): Promise<void> => {
    await tools.find((tool) => tool.name === name)?.execute(`load-${SKILL}`, { name: SKILL });
  };
  const loaded = readOwn<string>(ctx.state.own, 'skill');
  if (ctx.getContext(CONTEXT_ID) !== undefined && loaded !== contentHash) await call('remove_skill');
  if (ctx.getContext(CONTEXT_ID) === undefined) {
    await call('use_skill');
    writeOwn(ctx.state.own, 'skill', contentHash ?? '');
  }
  return ctx.getContext(CONTEXT_ID)?.content ?? '';
}
