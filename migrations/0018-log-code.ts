import type { Migration, MigrationContext } from '../core/database/migrate.ts';

/**
 * What our own rows of the log say becomes a code with what it is filled in with, so that people of either language read them. Rows of
 * calls, which are the many, and whatever other programs wrote stay as they are.
 */
export const logCodes: Migration = {
  name: '0018-log-code',
  async up(context) {
    for (let after = 0; ; ) {
      const found = await context.rows<{ id: number; content: string }>(
        `SELECT id, content FROM logs WHERE id > ${after} AND type IN (1, 3, 4) AND content <> '' ORDER BY id LIMIT 1000`,
      );
      for (const { id, content } of found) await rewrite(context, Number(id), content);
      const last = found.at(-1);
      if (!last) break;
      after = Number(last.id);
    }
    if (context.engine === 'postgres') await context.run(sweepWithCode);
  },
};

const forms: [key: string, form: RegExp][] = [
  ['log.gift', /^gift for a new user$/],
  ['log.invited', /^gift for accepting an invitation$/],
  ['log.reward', /^reward for inviting user #(?<id>\d+)$/],
  ['log.redeemed', /^redeemed code #(?<id>\d+)$/],
  ['log.toppedUp', /^online top-up, paid (?<money>[\d.]+)$/],
  ['log.adjusted', /^quota changed by (?<amount>[+-]\d+)$/],
  ['log.adjustedNote', /^quota changed by (?<amount>[+-]\d+): (?<note>.*)$/s],
  ['log.taskRefunded', /^failed task (?<task>\S+) refunded, request (?<request>\S+)$/],
  ['log.holdReturned', /^Held quota (?<quota>\d+) returned after an unclean stop, request (?<request>\S+)$/],
];

async function rewrite({ run }: MigrationContext, id: number, content: string): Promise<void> {
  for (const [key, form] of forms) {
    const match = form.exec(content);
    if (!match) continue;
    const code = `\u001e${JSON.stringify(['notice', key, { ...match.groups }])}\u001e`;
    return run(`UPDATE logs SET content = '${code.replaceAll("'", "''")}' WHERE id = ${id}`);
  }
}

/** The one text that a function of the database writes. */
const sweepWithCode = `DO $do$ BEGIN
  EXECUTE replace(pg_get_functiondef('ledger_sweep(text[],text)'::regprocedure),
    $before$'Held quota ' || back.amount || ' returned after an unclean stop, request ' || back.id$before$,
    $after$chr(30) || '["notice","log.holdReturned",{"quota":' || back.amount || ',"request":' || to_json(back.id) || '}]'
      || chr(30)$after$);
END $do$`;
