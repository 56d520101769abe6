import { definedFields } from '../../lib/defined-fields.ts';
import { recordOf } from '../../lib/json-value.ts';
import { readRerankResponse } from '../../wire/rerank/read-response.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';

export function writeRerank(call: UpstreamCall): Pick<Required<UpstreamRequest>, 'body' | 'readResponse'> {
  const { query, documents, top_n, return_documents } = call.body ?? {};
  const parameters = definedFields({ top_n: top_n ?? undefined, return_documents: return_documents ?? undefined });
  return {
    body: { model: call.model, input: { query, documents }, parameters },
    readResponse(response) {
      const { output, usage, request_id: id } = recordOf(response);
      return readRerankResponse({ id, usage, results: recordOf(output).results }, call);
    },
  };
}
