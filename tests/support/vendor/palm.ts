import { cloudFixtures } from './cloud.ts';
import type { VendorFixture } from './vendor-fixture.ts';

/** What is left under the number of the retired PaLM API: models of Gemini, at the same address with the same key. */
export const palm: VendorFixture[] = cloudFixtures
  .filter(({ type }) => type === 24)
  .map(({ images: _images, lacks, ...fixture }) => ({
    ...fixture,
    type: 11,
    lacks: { ...lacks, images: 'geminiOnly' },
  }));
