import type { OpenAPIV3_1 } from 'openapi-types';
import type { ConsoleRoute } from '../../core/http/route.ts';
import type { Language } from '../../core/text/text.ts';
import { limitText, type Schema, sampleOf, typeText } from './field-words.ts';
import { code, markdownTable } from './markdown.ts';

const words = {
  fields: {
    en: ['Field', 'In', 'Type', 'Required', 'Limits'],
    zh: ['字段', '位置', '类型', '必填', '限制'],
  },
  place: {
    path: { en: 'path', zh: '路径' },
    query: { en: 'query', zh: '查询参数' },
    body: { en: 'body', zh: '请求体' },
  },
  yes: { en: 'yes', zh: '是' },
  more: { en: 'Other fields of the object are accepted, too.', zh: '也接受该对象的其他字段。' },
  errors: { en: 'Errors', zh: '错误' },
  end: { en: '.', zh: '。' },
  comma: { en: ', ', zh: '、' },
  failure: { en: '200 with `success` false', zh: '200 且 `success` 为 false' },
};

interface Field {
  name: string;
  place: keyof typeof words.place;
  isRequired: boolean;
  schema: Schema;
}

/** What a caller has to send, what comes back, and an example. `operation` is what the published contract says of the route. */
export function routeEntry(route: ConsoleRoute, operation: OpenAPIV3_1.OperationObject, language: Language): string {
  const [type, body] = bodyOf(operation);
  const fields = [...parametersOf(operation), ...(body ? fieldsOf(body) : [])];
  const rows = fields.map(({ name, place, isRequired, schema }) => [
    code(name),
    words.place[place][language],
    typeText(schema, language),
    isRequired ? words.yes[language] : '',
    limitText(schema, language),
  ]);
  return [
    rows.length > 0 && markdownTable(words.fields[language], rows),
    body?.additionalProperties && words.more[language],
    `${words.errors[language]}${language === 'en' ? ': ' : '：'}${errorsOf(route)
      .map((error) => (error === 200 ? words.failure[language] : code(String(error))))
      .join(words.comma[language])}${words.end[language]}`,
    `\`\`\`sh\n${callOf(route, fields, type, body)}\n\`\`\``,
    responseOf(operation),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function parametersOf({ parameters = [] }: OpenAPIV3_1.OperationObject): Field[] {
  return (parameters as OpenAPIV3_1.ParameterObject[]).map(({ name, in: place, required, schema }) => ({
    name,
    place: place as Field['place'],
    isRequired: required === true,
    schema: schema as Schema,
  }));
}

function bodyOf({ requestBody }: OpenAPIV3_1.OperationObject): [type?: string, schema?: Schema] {
  const [entry] = Object.entries((requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content ?? {});
  return entry ? [entry[0], entry[1].schema as Schema] : [];
}

function fieldsOf(body: Schema): Field[] {
  return Object.entries(body.properties ?? {}).map(([name, schema]) => ({
    name,
    place: 'body',
    isRequired: body.required?.includes(name) ?? false,
    schema: schema as Schema,
  }));
}

/** The statuses a caller has to expect; 200 stands for a refusal in the envelope. */
function errorsOf({ access, body, rate, response }: ConsoleRoute): number[] {
  const statuses: [number, boolean][] = [
    [200, response.kind === 'data' || response.kind === 'empty'],
    [401, access !== 'public'],
    [403, access === 'admin' || access === 'root'],
    [413, body !== undefined],
    [429, rate !== 'none'],
  ];
  const held = statuses.filter(([, holds]) => holds).map(([status]) => status);
  return held.length > 0 ? held : [500];
}

function callOf({ method, path, access }: ConsoleRoute, fields: Field[], type?: string, body?: Schema): string {
  const asked = fields.filter(({ place, isRequired }) => place === 'query' && isRequired);
  const query = asked.map(({ name, schema }) => `${name}=${sampleOf(schema)}`).join('&');
  const place = path.replace(/:(\w+)/g, (_found, name) => (name === 'id' ? '1' : name.toUpperCase()));
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} "$TOLLGATE_URL${place}${query && `?${query}`}"`];
  if (access === 'key') lines.push('-H "Authorization: Bearer $TOLLGATE_KEY"');
  else if (access !== 'public') lines.push('-H "Authorization: $ACCESS_TOKEN"', '-H "New-Api-User: 1"');
  if (body && type === 'application/json') {
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(sampleOf(body, true))}'`);
  }
  return lines.join(' \\\n  ');
}

function responseOf({ responses }: OpenAPIV3_1.OperationObject): string {
  const success = responses?.[200] as OpenAPIV3_1.ResponseObject | undefined;
  const schema = success?.content?.['application/json']?.schema as Schema | undefined;
  if (!schema || responses?.[302]) return '';
  const sample = sampleOf(schema) as Record<string, unknown>;
  const shown = 'message' in sample ? { ...sample, message: '' } : sample;
  return `\`\`\`json\n${JSON.stringify(shown, undefined, 2)}\n\`\`\``;
}
