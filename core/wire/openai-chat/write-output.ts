import type { ChatRequest } from '../../canonical/chat-request.ts';

/** The form of the response: `response_format`, `verbosity`, `modalities`, `audio`. */
export function writeOutput({ output }: ChatRequest): Record<string, unknown> {
  const { verbosity, modalities, audio } = output;
  return {
    ...writeFormat(output),
    ...(verbosity !== undefined && { verbosity }),
    ...(modalities && { modalities: modalities.map((modality) => modality.toLowerCase()) }),
    ...(audio && { audio }),
  };
}

function writeFormat(output: ChatRequest['output']): Record<string, unknown> {
  if (output.kind === 'text') return {};
  if (output.kind === 'json') return { response_format: { type: 'json_object' } };
  const { name, schema, strict, description } = output;
  return {
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'answer',
        ...(description !== undefined && { description }),
        schema,
        ...(strict !== undefined && { strict }),
      },
    },
  };
}
