import type { Migration } from '../core/database/migrate.ts';

/**
 * Why a channel was switched off becomes a code with its figures where the reason is our own, so that people of either language read it.
 * What an upstream said stays as it is.
 */
export const switchOffReasons: Migration = {
  name: '0019-switch-off-reason',
  async up({ rows, run }) {
    const switchedOff = await rows<{ id: number; other_info: string }>(
      `SELECT id, other_info FROM channels WHERE other_info LIKE '%status_reason%' ORDER BY id`,
    );
    for (const { id, other_info } of switchedOff) {
      const info = rewritten(other_info);
      if (info) await run(`UPDATE channels SET other_info = '${info.replaceAll("'", "''")}' WHERE id = ${Number(id)}`);
    }
  },
};

const forms: [key: string, form: RegExp][] = [
  ['channel.slow', /^answered in (?<seconds>[\d.]+) s, the limit is (?<limit>\d+) s$/],
  ['channel.balanceUsedUp', /^(?<before>\d{3} )?the balance is used up \((?<balance>-?[\d.e+-]+) USD\)$/],
];

function rewritten(text: string): string | undefined {
  const info = readObject(text);
  for (const [key, form] of forms) {
    const match = form.exec(String(info?.status_reason));
    if (!match) continue;
    const { before = '', ...details } = { ...match.groups };
    return JSON.stringify({
      ...info,
      status_reason: `${before}\u001e${JSON.stringify(['detail', key, details])}\u001e`,
    });
  }
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
