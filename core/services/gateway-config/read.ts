import { parse, YAMLError } from 'yaml';
import { AppError } from '../../errors/app-error.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { readLiteLlm } from './litellm.ts';
import type { ConfigPlan, Variables } from './plan.ts';
import { isPortkey, readPortkey } from './portkey.ts';

/** What the configuration of LiteLLM or Portkey means here; nothing is opened or called. */
export function readGatewayConfig(file: string, text: string, environment: Variables): ConfigPlan {
  const value = parsed(file, text);
  if (isJsonObject(value)) {
    if (Array.isArray(value.model_list)) return readLiteLlm(value, environment);
    // Downloaded from its console, the config stands in a field.
    const config = isJsonObject(value.config) ? value.config : value;
    if (isPortkey(config)) return readPortkey(config);
  }
  throw new AppError('gateway.unknownConfig', { file });
}

function parsed(file: string, text: string): unknown {
  try {
    // An alias that repeats itself would grow without end.
    return parse(text.replace(/^\uFEFF/, ''), { maxAliasCount: 1000, logLevel: 'error' });
  } catch (error) {
    throw new AppError('cli.fileProblem', { place: file, reason: reasonOf(error) });
  }
}

/** The parser's own words are English and repeat what stands there, which may be a key. */
function reasonOf(error: unknown): string {
  const [start] = (error instanceof YAMLError && error.linePos) || [];
  if (!start) return coded('input.notYaml');
  return coded('input.yamlBrokenAt', { line: start.line, column: start.col });
}
