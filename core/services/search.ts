import { Op } from 'sequelize';
import type { Database } from '../database/connect.ts';
import { textMatches } from '../lib/text-match.ts';
import { type Actor, role } from '../schemas/actor.ts';
import { type SearchHit, type SearchKind, type SearchQuery, searchKinds } from '../schemas/search.ts';
import { usernameKey } from '../schemas/user.ts';
import { matches } from './list-rows.ts';
import { failedRequestId, shownRequestId } from './log/failure.ts';
import type { ModelService } from './model/model.ts';

interface SearchServiceDependencies {
  database: Database;
  models: Pick<ModelService, 'enabled' | 'openTo'>;
}

export type SearchService = ReturnType<typeof createSearchService>;

/** Of each kind: more would be a list page. */
const maxOfKind = 6;
/** Sorts behind whatever may follow the text. */
const lastCharacter = '\u{10FFFF}';
/** A text that is shorter is no request ID. */
const minRequestId = 8;

/** One search over everything that has a name; users find their own tokens and requests, and the models open to them. */
export function createSearchService({ database, models }: SearchServiceDependencies) {
  // Columns of names are compared by their bytes, as the indexes of migration 0020 are sorted.
  const byBytes = (column: string) => (database.engine === 'postgres' ? `${column} COLLATE "C"` : column);
  const beginsWith = (column: string) => `${byBytes(column)} >= :from AND ${byBytes(column)} < :to`;
  const range = (text: string) => ({ from: text, to: text + lastCharacter });
  // What admins open of their like and of root is refused: it is not found either.
  const isShown = (actor: Actor) => (actor.role < role.root ? ' AND (users.role < :rank OR users.id = :self)' : '');
  const shownTo = (actor: Actor) => (actor.role < role.root ? { rank: actor.role, self: actor.id } : {});
  const idOf = (text: string) => (/^#?\d{1,15}$/.test(text) ? Number(text.replace('#', '')) : -1);

  const finders: Record<SearchKind, (actor: Actor, text: string) => Promise<SearchHit[]>> = {
    async user(actor, text) {
      // SQL: a range of an index of its own.
      const rows = await database.select<{ id: number; username: string }>(
        `SELECT id, username FROM users WHERE deleted_at IS NULL AND (${beginsWith('username_key')})${isShown(actor)}
          ORDER BY ${byBytes('username_key')} LIMIT ${maxOfKind}`,
        { ...range(usernameKey(text)), ...shownTo(actor) },
      );
      const id = idOf(text);
      const named =
        rows.some((row) => row.id === id) || id <= 0
          ? []
          : await database.select<{ id: number; username: string }>(
              `SELECT id, username FROM users WHERE deleted_at IS NULL AND id = :id${isShown(actor)}`,
              { id, ...shownTo(actor) },
            );
      const found = [...rows, ...named];
      return found.map((row) => ({ kind: 'user', id: row.id, name: row.username, detail: '' }));
    },

    async channel(_actor, text) {
      const pattern = textMatches[database.engine].containing(text.replace(/^#/, ''));
      const rows = await database.channels.findAll({
        attributes: ['id', 'name'],
        where: { [Op.or]: [{ id: idOf(text) }, matches(database, 'name', pattern)] },
        order: [['name', 'ASC']],
        limit: maxOfKind,
        raw: true,
      });
      return rows.map(({ id, name }) => ({ kind: 'channel', id, name, detail: '' }));
    },

    token: (actor, text) => (actor.role < role.admin ? ownTokens(actor, text) : allTokens(actor, text)),

    async model(actor, text) {
      const names = await (actor.role < role.admin ? models.openTo(actor) : models.enabled(actor));
      const wanted = text.toLowerCase();
      return names
        .map((name) => ({ name, at: name.toLowerCase().indexOf(wanted) }))
        .filter(({ at }) => at >= 0)
        .sort((a, b) => Math.sign(a.at) - Math.sign(b.at) || (a.name < b.name ? -1 : 1))
        .slice(0, maxOfKind)
        .map(({ name }) => ({ kind: 'model', id: 0, name, detail: '' }));
    },

    async request(actor, text) {
      if (text.length < minRequestId) return [];
      const own = actor.role < role.admin ? { user_id: actor.id } : {};
      const { logs } = await database.logHome();
      const rows = await logs.findAll({
        attributes: ['id', 'request_id', 'model_name'],
        where: { request_id: [text, failedRequestId(text)], ...own },
        raw: true,
      });
      return rows.map(({ id, request_id, model_name }) => ({
        kind: 'request',
        id,
        name: shownRequestId(request_id ?? ''),
        detail: model_name,
      }));
    },
  };

  async function ownTokens(actor: Actor, text: string): Promise<SearchHit[]> {
    const pattern = textMatches[database.engine].containing(text);
    const rows = await database.tokens.findAll({
      attributes: ['id', 'name'],
      where: { user_id: actor.id, deleted_at: null, [Op.and]: matches(database, 'name', pattern) },
      order: [['name', 'ASC']],
      limit: maxOfKind,
      raw: true,
    });
    return rows.map(({ id, name }) => ({ kind: 'token', id, name, detail: actor.name }));
  }

  async function allTokens(actor: Actor, text: string): Promise<SearchHit[]> {
    // SQL: a range of an index of its own, with the names of the owners.
    const rows = await database.select<{ id: number; name: string; username: string | null }>(
      `SELECT tokens.id, tokens.name, users.username FROM tokens LEFT JOIN users ON users.id = tokens.user_id
        WHERE tokens.deleted_at IS NULL AND (${beginsWith('lower(tokens.name)')})${isShown(actor)}
        ORDER BY ${byBytes('lower(tokens.name)')} LIMIT ${maxOfKind}`,
      { ...range(text.toLowerCase()), ...shownTo(actor) },
    );
    return rows.map(({ id, name, username }) => ({ kind: 'token', id, name, detail: username ?? '' }));
  }

  return {
    async find(actor: Actor, { q, kind }: SearchQuery): Promise<SearchHit[]> {
      const open = actor.role < role.admin ? (['token', 'model', 'request'] as const) : searchKinds;
      const wanted = kind === undefined ? open : open.filter((one) => one === kind);
      const found = await Promise.all(wanted.map((one) => finders[one](actor, q)));
      return found.flat();
    },
  };
}
