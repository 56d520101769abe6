import { describe, expect, it } from 'vitest';
import { exitCode } from '../../cli/failure.ts';
import { knownVariables, readSample } from './sample.ts';

const unit = readSample('tollgate.service');
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

describe('tollgate.service', () => {
  it('sets only variables that the program knows, and the folder that systemd makes', async () => {
    const pairs = valuesOf('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=')));
    const settings = Object.fromEntries(pairs) as Record<string, string>;
    const known = await knownVariables();
    for (const name of Object.keys(settings).filter((one) => one !== 'NODE_ENV')) expect(known).toContain(name);
    expect(settings.TOLLGATE_HOME).toBe(`/var/lib/${valuesOf('StateDirectory')[0]}`);
  });

  it('waits longer than calls may continue, restarts after a fault that may pass, and is not root', () => {
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(35);
    expect(valuesOf('Restart')).toEqual(['on-failure']);
    const { usage, notAllowed, conflict } = exitCode;
    expect(valuesOf('RestartPreventExitStatus')).toEqual([`${usage} ${notAllowed} ${conflict}`]);
    expect(valuesOf('User')).toEqual(['tollgate']);
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
    expect(valuesOf('NoNewPrivileges')).toEqual(['true']);
  });
});
