import type { OpenAPIV3_1 } from 'openapi-types';
import { z } from 'zod';
import { type Language, type TextKey, textIn } from '../../text/text.ts';
import type { ConsoleRoute, RouteAccess, RouteResponse } from '../route.ts';
import { optionKeySchema } from './openapi-option.ts';

type Schema = OpenAPIV3_1.SchemaObject;

/** The published contract of the console API, made from the route table and the schemas that check each call. */
export function writeOpenApi(routes: ConsoleRoute[], version: string): OpenAPIV3_1.Document {
  const paths: OpenAPIV3_1.PathsObject = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate console API', version, description },
    paths,
    components: { schemas: { Failure: failure, OptionKey: optionKeySchema() }, securitySchemes },
  };
}

const description =
  'Business failures are HTTP 200 with success false. Calls with a session or an access token carry the header New-Api-User with the id of the user. A trailing slash makes no difference.';

const securitySchemes: OpenAPIV3_1.ComponentsObject['securitySchemes'] = {
  session: { type: 'apiKey', in: 'cookie', name: 'session' },
  accessToken: { type: 'apiKey', in: 'header', name: 'Authorization' },
};

const failure: Schema = {
  type: 'object',
  properties: { success: { const: false }, message: { type: 'string' } },
  required: ['success', 'message'],
};

const roleNames: Partial<Record<RouteAccess, string>> = { user: 'user', admin: 'admin', root: 'root' };

function operationOf(route: ConsoleRoute): OpenAPIV3_1.OperationObject {
  const role = roleNames[route.access];
  const objects = objectsOf('en', route);
  const about = [role && `Role: ${role}.`, objects && `Objects: ${objects}.`].filter(Boolean).join(' ');
  return {
    summary: summaryOf('en', route),
    ...(about && { description: about }),
    ...(role && { security: [{ session: [] }, { accessToken: [] }] }),
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(route.body && {
      requestBody: { required: true, content: { [bodyType(route)]: { schema: toSchema(route.body, 'input') } } },
    }),
    responses: responsesOf(route.response),
  } as OpenAPIV3_1.OperationObject;
}

/** What a route does; a test holds that each one has its text. */
export function summaryOf(language: Language, { method, path }: ConsoleRoute): string {
  return textIn(language, 'route', `${method} ${path}` as TextKey<'route'>);
}

export function objectsOf(language: Language, { objects }: ConsoleRoute): string {
  return objects ? textIn(language, 'route', `objects.${objects}`) : '';
}

const bodyType = ({ isForm }: ConsoleRoute) => (isForm ? 'application/x-www-form-urlencoded' : 'application/json');

function parametersOf(schema: z.ZodType, place: 'path' | 'query') {
  const { properties = {}, required = [] } = toSchema(schema, 'input');
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function responsesOf(response: RouteResponse): OpenAPIV3_1.ResponsesObject {
  if (response.kind === 'redirect')
    return {
      302: { description: 'to the console' },
      200: jsonResponse(failureReference),
      default: jsonResponse(failureReference),
    };
  if (response.kind === 'text') return { 200: { description: 'text', content: { 'text/plain': {} } } };
  return {
    200: jsonResponse({ anyOf: [successOf(response), failureReference] }),
    default: jsonResponse(failureReference),
  };
}

const failureReference = { $ref: '#/components/schemas/Failure' };

function successOf(response: Exclude<RouteResponse, { kind: 'text' | 'redirect' }>): Schema {
  if (response.kind === 'whole') return toSchema(response.schema, 'output');
  return {
    type: 'object',
    properties: {
      success: { const: true },
      message: { type: 'string' },
      ...(response.kind === 'data' && { data: toSchema(response.schema, 'output') }),
    },
    required: response.kind === 'data' ? ['success', 'message', 'data'] : ['success', 'message'],
    additionalProperties: false,
  };
}

function jsonResponse(schema: OpenAPIV3_1.ReferenceObject | Schema): OpenAPIV3_1.ResponseObject {
  return { description: 'answer', content: { 'application/json': { schema } } };
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as Schema;
}
