import { adapterFor } from '../../core/providers/registry.ts';
import { taskAdapterFor } from '../../core/providers/task/registry.ts';
import type { ChannelType } from '../../core/schemas/channel-type-description.ts';
import { channelTypes } from '../../core/schemas/channel-type-list.ts';
import type { Language } from '../../core/text/text.ts';
import { vendorFixtures } from '../support/vendor/all.ts';
import { vendorClients } from '../support/vendor/clients.ts';
import { type LackReason, lackReasons } from '../support/vendor/lack-reason.ts';
import { type VendorFeature, type VendorFixture, vendorFeatures } from '../support/vendor/vendor-fixture.ts';
import { markdownTable } from './markdown.ts';
import { labelOf } from './provider-section.ts';

/** Played by every client; the others have one way in. */
const chatFeatures: ReadonlySet<VendorFeature> = new Set(['chat', 'stream', 'tools', 'vision']);

const words = {
  head: { en: ['Type', 'Provider'], zh: ['编号', '供应商'] },
  notes: { en: 'Notes', zh: '注释' },
};

/** What the tests play against every type, from the fixtures themselves; empty cells have numbered notes. */
export function vendorTable(language: Language): string {
  const notes: LackReason[] = [];
  const rows = channelTypes.flatMap((type) => rowsOf(type, notes, language));
  const list = notes.map((note, place) => `${place + 1}. ${lackReasons[note][language]}`).join('\n');
  const table = markdownTable([...words.head[language], ...vendorFeatures], rows);
  return [table, `### ${words.notes[language]}`, list].join('\n\n');
}

/** The SDKs that stand for the protocols. */
export function vendorClientList(): string {
  return Object.values(vendorClients)
    .map(({ label }) => `- ${label}`)
    .join('\n');
}

function rowsOf(type: ChannelType, notes: LackReason[], language: Language): string[][] {
  const fixtures = vendorFixtures.filter((fixture) => fixture.type === type.number);
  const [number, label] = [String(type.number), labelOf(type, language)];
  if (fixtures.length === 0) return [[number, label, ...vendorFeatures.map(() => numbered(stateOf(type), notes))]];
  const colon = language === 'en' ? ': ' : '：';
  return fixtures.map((fixture) => [
    number,
    fixture.variant === '' ? label : `${label}${colon}${fixture.variant}`,
    ...vendorFeatures.map((feature) => cell(fixture, feature, notes)),
  ]);
}

function stateOf({ number }: ChannelType): LackReason {
  if (taskAdapterFor(number)) return 'taskOnly';
  return adapterFor(number) ? 'untested' : 'unsupported';
}

function cell(fixture: VendorFixture, feature: VendorFeature, notes: LackReason[]): string {
  const reason = fixture.lacks[feature];
  if (reason !== undefined) return numbered(reason, notes);
  const { chat } = fixture;
  if (feature === 'usage' && chat?.usageSource === 'counted') return 'counted';
  return chatFeatures.has(feature) || (feature === 'usage' && chat) ? 'all' : 'yes';
}

function numbered(reason: LackReason, notes: LackReason[]): string {
  if (!notes.includes(reason)) notes.push(reason);
  return `- (${notes.indexOf(reason) + 1})`;
}
