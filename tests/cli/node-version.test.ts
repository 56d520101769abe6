import { describe, expect, it } from 'vitest';
import { checkNode } from '../../cli/doctor/machine.ts';
import { createSpeak } from '../../cli/text.ts';

describe('the version of Node.js', () => {
  it.each([
    ['18.20.8', 'fail', 'Node.js 18.20.8 is too old; install 20.19 or later'],
    ['20.18.3', 'fail', 'Node.js 20.18.3 is too old; install 20.19 or later'],
    ['20.19.0', 'warn', 'Node.js 20.19.0 has known vulnerabilities; install 20.20.2 or later'],
    ['20.20.1', 'warn', 'Node.js 20.20.1 has known vulnerabilities; install 20.20.2 or later'],
    ['20.20.2', 'ok', 'Node.js 20.20.2'],
    ['20.21.0', 'ok', 'Node.js 20.21.0'],
    ['22.0.0', 'ok', 'Node.js 22.0.0'],
  ])('S18 %s is told: %s', (version, status, message) => {
    expect(checkNode(createSpeak('en'), version)).toEqual({ check: 'node', status, message });
  });
});
