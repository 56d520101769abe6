export const snippetNames = ['curl', 'Python', 'Node.js'] as const;
export type SnippetName = (typeof snippetNames)[number];

interface SnippetValues {
  key: string;
  baseUrl: string;
  model: string;
}

/** A first call with this key, ready to paste. */
export function snippet(name: SnippetName, values: SnippetValues): string {
  return writers[name](values);
}

const writers: Record<SnippetName, (values: SnippetValues) => string> = {
  curl: ({ key, baseUrl, model }) =>
    [
      `curl ${baseUrl}/chat/completions \\`,
      `  -H "Authorization: Bearer ${key}" \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '{"model":"${model}",`,
      `       "messages":[{"role":"user","content":"hi"}]}'`,
    ].join('\n'),
  Python: ({ key, baseUrl, model }) =>
    [
      'from openai import OpenAI',
      '',
      `client = OpenAI(base_url="${baseUrl}", api_key="${key}")`,
      'response = client.chat.completions.create(',
      `    model="${model}", messages=[{"role": "user", "content": "hi"}]`,
      ')',
      'print(response.choices[0].message.content)',
    ].join('\n'),
  'Node.js': ({ key, baseUrl, model }) =>
    [
      "import OpenAI from 'openai';",
      '',
      `const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: '${key}' });`,
      'const response = await client.chat.completions.create({',
      `  model: '${model}',`,
      "  messages: [{ role: 'user', content: 'hi' }],",
      '});',
      'console.log(response.choices[0].message.content);',
    ].join('\n'),
};
