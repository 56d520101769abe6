import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

export interface Contract {
  /** Throws when the response is not one the published contract allows. */
  check(method: string, path: string, status: number, contentType: string, body: unknown): void;
  document: Document;
}

/** The contract as the server publishes it. */
export async function readContract(url: string): Promise<Contract> {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'contract', components: document.components });
  const compiled = new Map<object, ValidateFunction>();

  function validatorOf(schema: object): ValidateFunction {
    const known = compiled.get(schema);
    if (known) return known;
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/');
    const made = ajv.compile(JSON.parse(text));
    compiled.set(schema, made);
    return made;
  }

  function operationFor(method: string, path: string): Operation {
    const wanted = segments(path.split('?')[0] ?? '');
    const candidates = Object.entries(document.paths).filter(([known]) => {
      const parts = segments(known);
      return parts.length === wanted.length && parts.every((part, at) => part.startsWith('{') || part === wanted[at]);
    });
    // `/api/user/self` before `/api/user/{id}`.
    candidates.sort(([a], [b]) => a.split('{').length - b.split('{').length);
    const operation = candidates.map(([, methods]) => methods[method.toLowerCase()]).find(Boolean);
    if (!operation) throw new Error(`the contract has no ${method} ${path}`);
    return operation;
  }

  return {
    document,
    check(method, path, status, contentType, body) {
      const { responses } = operationFor(method, path);
      const response = responses[String(status)] ?? responses.default;
      if (!response) throw new Error(`the contract has no answer ${status} for ${method} ${path}`);
      const schema = response.content?.['application/json']?.schema;
      if (!schema || !contentType.startsWith('application/json')) return;
      const validate = validatorOf(schema);
      if (!validate(body)) {
        const faults = ajv.errorsText(validate.errors, { separator: '\n' });
        throw new Error(
          `${method} ${path} answered outside the contract:\n${faults}\n${JSON.stringify(body).slice(0, 2000)}`,
        );
      }
    },
  };
}

const segments = (path: string) => path.split('/').filter(Boolean);
