import { isJsonObject } from '../../lib/json-value.ts';
import { wrong } from '../request-field.ts';

/** Shapes that no upstream can read, told before money is held. Roles and part kinds stay open: vendors have their own. */
export function checkChatBody(body: Record<string, unknown>): void {
  const { messages, tools } = body;
  if (!Array.isArray(messages)) throw wrong('request.notList', 'messages');
  for (let index = 0; index < messages.length; index += 1) checkMessage(messages[index], index);
  if (tools === undefined || tools === null) return;
  if (!Array.isArray(tools)) throw wrong('request.notList', 'tools');
  for (let index = 0; index < tools.length; index += 1) {
    if (!isJsonObject(tools[index])) throw wrong('request.notObject', `tools[${index}]`);
  }
}

function checkMessage(message: unknown, index: number): void {
  if (!isJsonObject(message)) throw wrong('request.notObject', `messages[${index}]`);
  const { role, content, tool_calls } = message;
  if (role === undefined) throw wrong('request.fieldMissing', `messages[${index}].role`);
  if (typeof role !== 'string') throw wrong('request.notText', `messages[${index}].role`);
  if (typeof content === 'object' && content !== null) checkParts(content, `messages[${index}].content`);
  else if (content !== undefined && content !== null && typeof content !== 'string')
    throw wrong('request.notTextOrList', `messages[${index}].content`);
  if (tool_calls !== undefined && tool_calls !== null && !Array.isArray(tool_calls))
    throw wrong('request.notList', `messages[${index}].tool_calls`);
}

function checkParts(content: object, field: string): void {
  if (!Array.isArray(content)) throw wrong('request.notTextOrList', field);
  for (let index = 0; index < content.length; index += 1) {
    if (!isJsonObject(content[index])) throw wrong('request.notObject', `${field}[${index}]`);
  }
}
