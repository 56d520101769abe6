import type { HistogramInput } from '../../integrations/opentelemetry/histogram.ts';
import { channelTypes } from '../../schemas/channel-type-list.ts';

// Names and numbers of the OpenTelemetry semantic conventions for generative AI.

/** Operations the convention has a name for; of others the protocol or the kind of task is the name. */
const operations: Record<string, string> = {
  'openai-chat': 'chat',
  'openai-responses': 'chat',
  'anthropic-messages': 'chat',
  gemini: 'generate_content',
  'openai-completion': 'text_completion',
  'openai-embedding': 'embeddings',
  'gemini-embedding': 'embeddings',
  'openai-moderation': 'moderation',
  'openai-image': 'image_generation',
  'openai-image-edit': 'image_edit',
  'openai-speech': 'speech',
  'openai-transcription': 'transcription',
  'openai-translation': 'translation',
  'cohere-rerank': 'rerank',
  'openai-realtime': 'realtime',
  mj: 'image_generation',
  suno: 'music_generation',
  video: 'video_generation',
};

export function operationOf(protocol: string): string {
  return operations[protocol] ?? protocol;
}

/** Vendors the convention has a name for; of others the name of the channel type is the name. */
const providers: Record<string, string> = {
  azure: 'azure.ai.openai',
  palm: 'gcp.gemini',
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  aws: 'aws.bedrock',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  moonshot: 'moonshot_ai',
};

const typeNames = new Map(channelTypes.map(({ number, name }) => [number, providers[name] ?? name]));

export function providerOf(channelType: number): string {
  return typeNames.get(channelType) ?? '_OTHER';
}

/** The words of the convention for reasons that have others here. */
const finishReasons: Record<string, string> = { tool: 'tool_call', filter: 'content_filter' };

export function finishReasonsOf(reasons: string): string[] | undefined {
  return reasons === '' ? undefined : reasons.split(',').map((reason) => finishReasons[reason] ?? reason);
}

const durationBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

export type MeasureName = 'clientDuration' | 'tokenUsage' | 'serverDuration' | 'firstToken' | 'perOutputToken';

export const measures: Record<MeasureName, HistogramInput> = {
  clientDuration: {
    name: 'gen_ai.client.operation.duration',
    description: 'Duration of one attempt on an upstream.',
    unit: 's',
    bounds: durationBounds,
  },
  tokenUsage: {
    name: 'gen_ai.client.token.usage',
    description: 'Input and output tokens of a charged call.',
    unit: '{token}',
    bounds: [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864],
  },
  serverDuration: {
    name: 'gen_ai.server.request.duration',
    description: 'Duration of a call, from the request to the end of the response.',
    unit: 's',
    bounds: durationBounds,
  },
  firstToken: {
    name: 'gen_ai.server.time_to_first_token',
    description: 'Time from the request to the first token of a stream.',
    unit: 's',
    bounds: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  perOutputToken: {
    name: 'gen_ai.server.time_per_output_token',
    description: 'Time per output token of a stream after the first one.',
    unit: 's',
    bounds: [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5],
  },
};
