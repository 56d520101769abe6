import { adapterFor } from '../../core/providers/registry.ts';
import type { ChannelType } from '../../core/schemas/channel-type-description.ts';
import { channelTypes } from '../../core/schemas/channel-type-list.ts';
import { vendorFixtures } from '../support/vendor/all.ts';
import { vendorClients } from '../support/vendor/clients.ts';
import { type VendorFeature, type VendorFixture, vendorFeatures } from '../support/vendor/vendor-fixture.ts';
import { markdownTable } from './markdown.ts';

/** Played by every client; the others have one way in. */
const chatFeatures: ReadonlySet<VendorFeature> = new Set(['chat', 'stream', 'tools', 'vision']);

/** What the tests play against every type, from the very fixtures they play; what lacks is told in numbered notes. */
export function vendorTable(): string {
  const notes: string[] = [];
  const rows = channelTypes.flatMap((type) => rowsOf(type, notes));
  const list = notes.map((note, place) => `${place + 1}. ${sentence(note)}`).join('\n');
  return [markdownTable(['Type', 'Provider', ...vendorFeatures], rows), '### Notes', list].join('\n\n');
}

/** The SDKs that stand for the protocols. */
export function vendorClientList(): string {
  return Object.values(vendorClients)
    .map(({ label }) => `- ${label}`)
    .join('\n');
}

function rowsOf(type: ChannelType, notes: string[]): string[][] {
  const fixtures = vendorFixtures.filter((fixture) => fixture.type === type.number);
  const number = String(type.number);
  if (fixtures.length === 0) {
    const state = adapterFor(type.number)
      ? 'served, but not covered by these tests'
      : 'this version does not serve the type';
    return [[number, type.label, ...vendorFeatures.map(() => numbered(state, notes))]];
  }
  return fixtures.map((fixture) => [
    number,
    fixture.variant === '' ? type.label : `${type.label}: ${fixture.variant}`,
    ...vendorFeatures.map((feature) => cell(fixture, feature, notes)),
  ]);
}

function cell(fixture: VendorFixture, feature: VendorFeature, notes: string[]): string {
  const reason = fixture.lacks[feature];
  if (reason !== undefined) return numbered(reason, notes);
  const { chat } = fixture;
  if (feature === 'usage' && chat?.usageSource === 'counted') return 'counted';
  return chatFeatures.has(feature) || (feature === 'usage' && chat) ? 'all' : 'yes';
}

function numbered(reason: string, notes: string[]): string {
  if (!notes.includes(reason)) notes.push(reason);
  return `- (${notes.indexOf(reason) + 1})`;
}

function sentence(note: string): string {
  return `${note.charAt(0).toUpperCase()}${note.slice(1)}${/[.!?]$/.test(note) ? '' : '.'}`;
}
