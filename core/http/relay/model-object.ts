import { allPresetModels } from '../../providers/preset-models.ts';
import { channelTypeOf } from '../../schemas/channel-type.ts';
import { type ModelObject, openAiModel } from '../../wire/model-list/openai.ts';

const unknownOwner = 'custom';

/** A model as `GET /v1/models` lists it. Its owner is the first channel type whose preset list has it. */
export function modelObject(id: string): ModelObject {
  return openAiModel(id, owners.get(id) ?? unknownOwner);
}

const owners: ReadonlyMap<string, string> = readOwners();

function readOwners(): Map<string, string> {
  const found = new Map<string, string>();
  for (const [type, models] of Object.entries(allPresetModels())) {
    const owner = channelTypeOf(Number(type))?.name ?? unknownOwner;
    for (const model of models) if (!found.has(model)) found.set(model, owner);
  }
  return found;
}
