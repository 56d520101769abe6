import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { isJsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import type { CallMedia } from '../request/call-media.ts';
import type { PreparedAttempt } from '../run.ts';

/** Whether the client wants pictures themselves, and the vendor gives their addresses alone. */
export function wantsDrawn({ adapter, run }: Pick<PreparedAttempt, 'adapter' | 'run'>): boolean {
  const isDrawing = run.call.protocol.name === 'openai-image';
  return isDrawing && adapter.drawsByAddress === true && run.body.fields.value('response_format') === 'b64_json';
}

/** A response with the pictures in place of their addresses. Throws UpstreamError when one cannot be read: they are not billed then. */
export async function withDrawn({ run }: Pick<PreparedAttempt, 'run'>, response: unknown): Promise<unknown> {
  const { data, ...rest } = recordOf(response);
  if (!Array.isArray(data)) return response;
  const urls = data.map((picture) => textOf(recordOf(picture).url)).filter(Boolean);
  await run.media.fetch([...new Set(urls)]).catch(refuse);
  return { ...rest, data: data.map((picture) => drawn(picture, run.media)) };
}

function drawn(picture: unknown, media: CallMedia): unknown {
  const { url, ...rest } = recordOf(picture);
  const source = media.sourceOf(textOf(url));
  if (!isJsonObject(picture) || source?.type !== 'data') return picture;
  const pieces = media.embed?.(source.data);
  return { ...rest, b64_json: pieces ? Buffer.concat(pieces).toString('latin1') : source.data };
}

/** To draw once more on another channel would be paid for twice. */
function refuse(cause: unknown): never {
  if (!(cause instanceof AppError) || cause.code === 'relay.clientGone') throw cause;
  const words = coded('upstream.pictureUnread');
  throw new UpstreamError({ status: 502, code: 'picture_unreadable', coded: words, kind: 'client', cause });
}
