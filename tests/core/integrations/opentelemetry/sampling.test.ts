import { describe, expect, it } from 'vitest';
import { newTraceId } from '../../../../core/integrations/opentelemetry/trace-context.ts';
import { isSampled } from '../../../../core/integrations/opentelemetry/tracer.ts';

describe('the sampler', () => {
  const ids = Array.from({ length: 4000 }, newTraceId);
  const share = (ratio: number) =>
    ids.filter((id) => isSampled({ followsParent: false, ratio }, id)).length / ids.length;

  it('keeps the share of traces that was set', () => {
    expect(share(0)).toBe(0);
    expect(share(1)).toBe(1);
    expect(share(0.25)).toBeGreaterThan(0.2);
    expect(share(0.25)).toBeLessThan(0.3);
  });

  it('keeps the same traces in every process, and with a higher share these and more', () => {
    const kept = (ratio: number) => ids.filter((id) => isSampled({ followsParent: false, ratio }, id));
    expect(kept(0.5)).toEqual(expect.arrayContaining(kept(0.1)));
    // The bits that the specification calls random decide: those at the end.
    expect(isSampled({ followsParent: false, ratio: 0.5 }, 'f'.repeat(18) + '0'.repeat(14))).toBe(false);
    expect(isSampled({ followsParent: false, ratio: 0.5 }, '0'.repeat(18) + 'f'.repeat(14))).toBe(true);
  });

  it('follows the caller where it is told to, and decides alone where not', () => {
    const parent = (isSampled: boolean) => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled, state: '' });
    const [id = ''] = ids;
    expect(isSampled({ followsParent: true, ratio: 0 }, id, parent(true))).toBe(true);
    expect(isSampled({ followsParent: true, ratio: 1 }, id, parent(false))).toBe(false);
    expect(isSampled({ followsParent: false, ratio: 0 }, id, parent(true))).toBe(false);
    expect(isSampled({ followsParent: false, ratio: 1 }, id, parent(false))).toBe(true);
  });
});
