import type Anthropic from '@anthropic-ai/sdk';
import type { ResponseCreateParamsStreaming, ResponseInputItem, Tool } from 'openai/resources/responses/responses';

const names = [
  'Bash',
  'Read',
  'Write',
  'Edit',
  'MultiEdit',
  'Glob',
  'Grep',
  'LS',
  'NotebookEdit',
  'WebFetch',
  'TodoWrite',
  'Task',
  'BashOutput',
  'KillShell',
  'ExitPlanMode',
  'SlashCommand',
  'Skill',
  'AskUserQuestion',
  'mcp__github__create_pull_request',
  'mcp__filesystem__read_multiple_files',
];

/** A schema as coding agents make them from zod: everything in it that some vendor refuses. */
function agentSchema(name: string): Anthropic.Tool.InputSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      path: { description: `What ${name} works on`, type: 'string', minLength: 1 },
      mode: { type: 'string', const: 'fast' },
      limit: { type: 'integer', exclusiveMinimum: 0, maximum: 9007199254740991 },
      edits: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { from: { type: 'string' } },
          required: ['from'],
          additionalProperties: false,
        },
      },
      filter: {
        anyOf: [{ type: 'string' }, { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} }],
      },
    },
    required: ['path'],
    additionalProperties: false,
  };
}

/** A call as Claude Code makes it in the middle of its work; `signature` is what it got with the thinking before. */
export function claudeCodeCall(
  model: string,
  thinking: Anthropic.ThinkingConfigParam,
  signature: string,
): Anthropic.MessageStreamParams {
  return {
    model,
    max_tokens: 32_000,
    stream: true,
    thinking,
    metadata: { user_id: 'user_0f3a_account_77_session_c1' },
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.0; cch=9f1c2;' },
      { type: 'text', text: 'You are a coding agent.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'The working directory is /home/dev/app.', cache_control: { type: 'ephemeral' } },
    ],
    tools: names.map((name) => ({ name, description: `The tool ${name}`, input_schema: agentSchema(name) })),
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>Today is Saturday.</system-reminder>' },
          { type: 'text', text: 'Why does the build fail?' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Two files matter.', signature },
          { type: 'text', text: 'I look at two files.' },
          { type: 'tool_use', id: 'toolu_01A', name: 'Read', input: { path: 'a.ts' } },
          { type: 'tool_use', id: 'toolu_01B', name: 'Bash', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_01B', content: 'command missing', is_error: true },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_01A',
            content: [{ type: 'text', text: 'export const a = 1;' }],
            cache_control: { type: 'ephemeral' },
          },
          { type: 'text', text: 'And be quick.' },
        ],
      },
    ],
  };
}

/** Headers that Claude Code sends beside the SDK's own. */
export const claudeCodeHeaders = {
  'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14,fine-grained-tool-streaming-2025-05-14',
  'x-app': 'cli',
  'user-agent': 'claude-cli/2.1.0 (external, cli)',
};

/** A call as Codex CLI makes it: nothing is stored, so everything it has got so far comes back. */
/** Offered with every call; its pages are those that OpenAI keeps. */
const codexSearch = { type: 'web_search', external_web_access: false } as unknown as Tool;

export function codexCall(model: string, history: ResponseInputItem[]): ResponseCreateParamsStreaming {
  const parameters = {
    type: 'object',
    properties: { command: { type: 'array', items: { type: 'string' } }, workdir: { type: 'string' } },
    required: ['command'],
    additionalProperties: false,
  };
  return {
    model,
    instructions: 'You are a coding agent in a terminal.',
    input: [
      {
        type: 'message',
        role: 'developer',
        content: [{ type: 'input_text', text: '<permissions>read-only</permissions>' }],
      },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Why does the build fail?' }] },
      ...history,
    ],
    tools: [
      { type: 'function', name: 'shell', description: 'Runs a command', parameters, strict: false },
      {
        type: 'custom',
        name: 'apply_patch',
        description: 'Changes files',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch" /.+/s' },
      },
      {
        type: 'namespace',
        name: 'github',
        description: 'Repositories',
        tools: [{ type: 'function', name: 'search', parameters: { type: 'object', properties: {} }, strict: false }],
      },
      codexSearch,
    ],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { effort: 'medium', summary: 'auto' },
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: '019a-session',
    text: { verbosity: 'low' },
  };
}
