/** One model as `GET /v1/models` lists it; libraries of this family read the members that OpenAI has dropped since. */
export interface ModelObject {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
  permission: ModelPermission[];
  root: string;
  parent: null;
}

interface ModelPermission {
  id: string;
  object: 'model_permission';
  created: number;
  allow_create_engine: boolean;
  allow_sampling: boolean;
  allow_logprobs: boolean;
  allow_search_indices: boolean;
  allow_view: boolean;
  allow_fine_tuning: boolean;
  organization: string;
  group: null;
  is_blocking: boolean;
}

/** The gateways before us gave every model this day (21 July 2021); unix seconds. */
const created = 1_626_777_600;

const permission: ModelPermission = {
  id: 'modelperm-tollgate',
  object: 'model_permission',
  created,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: '*',
  group: null,
  is_blocking: false,
};

export function openAiModel(id: string, owner: string): ModelObject {
  return {
    id,
    object: 'model',
    created,
    owned_by: owner,
    permission: [permission],
    root: id,
    parent: null,
  };
}
