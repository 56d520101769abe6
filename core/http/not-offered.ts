/** Calls the vendors' SDKs know that are not offered here; each folder with everything in it. */
const folders = [
  'agents',
  'assistants',
  'audio/voice_consents',
  'audio/voices',
  'batches',
  'chatkit',
  'compliance',
  'containers',
  'content_provenance_checks',
  'conversations',
  'decisions',
  'deployment_runs',
  'deployments',
  'dreams',
  'environments',
  'evals',
  'files',
  'fine-tunes',
  'fine_tuning',
  'live',
  'memory_stores',
  'messages/batches',
  'organization',
  'organizations',
  'sessions',
  'skills',
  'threads',
  'tunnels',
  'uploads',
  'user_profiles',
  'vaults',
  'vector_stores',
  'videos/characters',
  'videos/edits',
  'videos/extensions',
  'webhook_endpoints',
  'webhook_event_types',
];
const googleFolders = [
  'auth_tokens',
  'batches',
  'cachedContents',
  'corpora',
  'fileSearchStores',
  'files',
  'interactions',
  'operations',
  'tunedModels',
];
const googleActions = [
  'asyncBatchEmbedContent',
  'batchGenerateContent',
  'computeTokens',
  'predict',
  'predictLongRunning',
];

const known = [
  new RegExp(`^\\w+ /v1/(${folders.join('|')})(/|$)`),
  new RegExp(`^\\w+ (/upload)?/v1(alpha|beta)?/(${googleFolders.join('|')})(/|:|$)`),
  new RegExp(`^POST /.*:(${googleActions.join('|')})$`),
  /^POST \/v1\/(edits|images\/variations|complete)$/,
  /^POST \/openai\/deployments\/.+\/(batches|images\/variations)$/,
  /^POST \/v1\/videos\/[^/]+\/remix$/,
  /^POST \/v1\/responses\/(compact|input_tokens)$/,
  /^\w+ \/v1\/chat\/completions\/[^/]+/,
  /^DELETE \/v1\/models\/[^/]+$/,
];

export function isNotOffered(method: string, path: string): boolean {
  const call = `${method} ${path}`;
  return known.some((shape) => shape.test(call));
}
