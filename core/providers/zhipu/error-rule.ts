import type { ErrorRule } from '../../errors/classify-upstream.ts';
import { isJsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import { defineHiddenErrors } from '../hidden-error-table.ts';

/** Zhipu sheet, errors of both versions. */
export const zhipuRules: readonly ErrorRule[] = [
  { codes: ['1113', '1308', '1309', '1310'], kind: 'balance' },
  { codes: ['1110', '1111', '1112', '1121'], kind: 'dead' },
  { codes: ['1000', '1001', '1002', '1003', '1004'], kind: 'dead' },
  { codes: ['1261'], kind: 'contextLength' },
  { codes: ['1300', '1301'], kind: 'policy' },
  { codes: ['1302', '1303', '1304', '1305', '1312', '1313'], kind: 'retry' },
  { codes: ['500', '1120', '1200', '1230', '1234'], kind: 'retry' },
  { codes: ['1210', '1212', '1213', '1214', '1215', '1311'], kind: 'client' },
  { status: [434, 435], kind: 'client' },
];

/** Of the older interface, which sends everything with HTTP 200. */
export const olderErrors = defineHiddenErrors({
  read,
  rules: zhipuRules,
  limits: ['1302', '1303', '1304', '1305', '1312', '1313'],
});

function read(body: unknown): { code: string | number; message: string } | undefined {
  if (!isJsonObject(body)) return undefined;
  if (body.event === 'error') return readEvent(textOf(body.data));
  if (body.success !== false) return undefined;
  const { code, msg } = body;
  return { code: typeof code === 'number' ? code : textOf(code), message: textOf(msg) };
}

/** The text of an `error` event may be an error document of its own. */
function readEvent(text: string) {
  try {
    const { code, msg, message } = recordOf(JSON.parse(text));
    return { code: typeof code === 'number' ? code : textOf(code), message: textOf(msg ?? message) };
  } catch {
    return { code: '', message: text };
  }
}
