/**
 * What a use of a tool is billed as. Pictures by quality, `_wide` for any size above a square of 1024. Google counts searches by
 * query since Gemini 3, by response before; OpenAI's older search tool costs more with models that do not reason. xAI's live
 * search counts sources; Perplexity counts responses by how much of a search they read, those of its Pro Search once more, and for
 * deep research queries, and tokens of citations and of reasoning that are no part of the completion.
 */
export const serverTools = [
  'web_search',
  'web_search_preview',
  'file_search',
  'code_interpreter',
  'image_low',
  'image_low_wide',
  'image_medium',
  'image_medium_wide',
  'image_high',
  'image_high_wide',
  'google_search',
  'google_search_answer',
  'google_maps',
  'x_search',
  'search_source',
  'search_low',
  'search_medium',
  'search_high',
  'search_pro',
  'search_query',
  'citation_token',
  'reasoning_token',
] as const;
export type ServerTool = (typeof serverTools)[number];

/** `fast`: Anthropic's fast mode; `ultrafast`: OpenAI's, by invitation and without a public price; `us`: a call kept within the United States. */
export const serviceTiers = ['flex', 'priority', 'batch', 'fast', 'ultrafast', 'us'] as const;
export type ServiceTier = (typeof serviceTiers)[number];
