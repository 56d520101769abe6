import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import type { UpstreamCall, UpstreamJob, UpstreamRequest } from '../adapter.ts';
import { urlSegment } from '../base-url.ts';
import { qwenLabel } from './address.ts';
import { qwenCompatible } from './compatible.ts';

const maxPictures = 4;

/** The vendor draws as a job, whose pictures stay under an address for a day. */
export function writeDrawing(call: UpstreamCall): Pick<Required<UpstreamRequest>, 'body' | 'readResponse'> {
  const { model, fields, request, now = 0 } = call;
  const count = request.units.images?.count ?? 1;
  const refuse = (field: string) =>
    new AppError('provider.fieldNotOffered', { provider: qwenLabel, field }, { param: field });
  if (count > maxPictures) throw refuse('n');
  if (request.stream) throw refuse('stream');
  const size = textOf(fields.value('size'));
  return {
    body: {
      model,
      input: definedFields({
        prompt: fields.value('prompt'),
        negative_prompt: fields.value('negative_prompt') ?? undefined,
      }),
      parameters: definedFields({
        size: size === '' || size === 'auto' ? undefined : size.replace('x', '*'),
        n: count,
        seed: fields.value('seed') ?? undefined,
        style: styleOf(fields.value('style')),
      }),
    },
    readResponse(response) {
      const pictures = recordsOf(recordOf(recordOf(response).output).results).filter(({ url }) => textOf(url) !== '');
      if (pictures.length === 0)
        throw new UpstreamError({ status: 502, coded: coded('upstream.noImage'), kind: 'retry' });
      return { created: Math.floor(now / 1000), data: pictures.map(({ url }) => ({ url })) };
    },
  };
}

/** Its styles are written `<anime>`; OpenAI's two are not among them. */
function styleOf(style: unknown): unknown {
  return typeof style === 'string' && style.startsWith('<') ? style : undefined;
}

const running: ReadonlySet<unknown> = new Set(['PENDING', 'RUNNING', 'SUSPENDED']);

export function drawingJob(tasksUrl: string, headers: UpstreamJob['headers']): UpstreamJob {
  return {
    headers,
    next(response) {
      const { task_id, task_status, results, code, message } = recordOf(recordOf(response).output);
      if (running.has(task_status)) return `${tasksUrl}/${urlSegment(textOf(task_id))}`;
      if (task_status === 'SUCCEEDED') return undefined;
      const reason = { code: code ?? task_status, message: message ?? recordsOf(results)[0]?.message };
      throw qwenCompatible.readError(qwenCompatible.hiddenErrorStatus(reason) ?? 503, reason, {});
    },
  };
}
