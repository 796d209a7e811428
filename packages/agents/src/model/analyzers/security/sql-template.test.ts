// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code under analysis
import { describe, expect, it } from 'vitest';
import { findingsOf, linesFound, rangeOf } from '../testing/range.ts';

const RULE = 'security/sql-template';

describe('values in SQL text', () => {
  it.each([
    ['in quotes', "db.query(`select * from parcels where code = '${code}'`);", 1],
    ['after a comparison', 'await this.pool.query(`DELETE FROM parcels WHERE id = ${id}`);', 1],
    ['in a pattern', "db.query(`select 1 from t where a like '%${term}%'`);", 1],
    ['on a line of its own', "db.query(`\n  select *\n  from t\n  where a = '${a}'\n`, []);", 4],
    ['after a table name', "db.query(`select * from ${TABLE} where a = '${a}'`);", 1],
    ['in a constant that is passed on', "const sql = `update t set a = '${a}'`;\nawait db.execute(sql);", 1],
    ['with a type argument', "await db.query<Row>(`select 1 from t where a = '${a}'`);", 1],
    ['for Prisma', "prisma.$queryRawUnsafe(`select * from t where a = '${a}'`);", 1],
  ])('finds one %s', async (_, code, line) => {
    expect(await linesFound(RULE, code)).toEqual([line]);
  });

  it.each([
    ['a bound value', "db.query('select * from t where a = $1', [a]);"],
    ['a numbered placeholder', 'db.query(`select * from t where a = $${index}`, [a]);'],
    ['the name of a table', 'db.query(`select * from ${table}`);'],
    [
      'a list of placeholders',
      "db.query(`select * from t where id in (${ids.map(() => '?').join(',')})`, ids);",
    ],
    ['a constant', "const STATE = 'open';\ndb.query(`select * from t where state = '${STATE}'`);"],
    ['a tagged template', 'db.query(sql`select * from t where a = ${a}`);'],
    ['an escaped value', 'db.query(`select * from t where a = ${db.escape(a)}`);'],
    ['a number', 'db.query(`select * from t where a = ${Number(a)}`);'],
    ['GraphQL', 'client.query(`{ parcel(code: "${code}") { id } }`);'],
    ['a search text', 'index.query(`code = ${code}`);'],
    ['a log line', "log.info(`select * from t where a = '${a}'`);"],
    ['a comment', "// db.query(`select * from t where a = '${a}'`);"],
  ])('leaves %s', async (_, code) => {
    expect(await linesFound(RULE, code)).toEqual([]);
  });

  it('leaves a template of which only a harmless line is new', async () => {
    const before = "db.query(`\n  select a\n  from t\n  where a = '${a}'\n`);\n";
    const input = rangeOf({ 'src/a.ts': { before, after: before.replace('select a', 'select a, b') } });
    expect(await findingsOf(RULE, input)).toEqual([]);
  });
});
