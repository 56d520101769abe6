import { allPresetModels } from '../../providers/preset-models.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { requireRole } from '../actor.ts';
import type { UserGroups } from '../group/user-group.ts';
import type { ServedModels } from './served-model.ts';

interface ModelServiceDependencies {
  servedModels: Pick<ServedModels, 'read'>;
  userGroups: UserGroups;
}

export type ModelService = ReturnType<typeof createModelService>;

/** Which models there are: known, served, or open to one user. */
export function createModelService({ servedModels, userGroups }: ModelServiceDependencies) {
  return {
    /** Type number to the models offered when a channel of that type is added. */
    presets(actor: Actor): Readonly<Record<string, readonly string[]>> {
      requireRole(actor, role.user);
      return allPresetModels();
    },

    /** Every model of the preset lists and every one that is served. */
    async known(actor: Actor): Promise<string[]> {
      requireRole(actor, role.admin);
      const served = await servedModels.read();
      return [...new Set([...Object.values(allPresetModels()).flat(), ...served.keys()])];
    },

    async enabled(actor: Actor): Promise<string[]> {
      requireRole(actor, role.admin);
      return [...(await servedModels.read()).keys()];
    },

    /** What the user may call, over all groups the user may choose. */
    async openTo(actor: Actor): Promise<string[]> {
      requireRole(actor, role.user);
      const usable = await userGroups.usableTo(actor);
      const served = await servedModels.read();
      return [...served]
        .filter(([, groups]) => groups.some((group) => Object.hasOwn(usable, group)))
        .map(([name]) => name);
    },
  };
}
