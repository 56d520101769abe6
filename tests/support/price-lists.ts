/** Small price lists in the formats that a sync reads; the models are made up, the layout is that of each format. */
export const priceLists = {
  litellm: {
    sample_spec: { max_tokens: 'the number of tokens', input_cost_per_token: 0, litellm_provider: 'one of many' },
    'acme-large': {
      litellm_provider: 'acme',
      mode: 'chat',
      input_cost_per_token: 0.000003,
      output_cost_per_token: 0.000012,
      cache_read_input_token_cost: 3e-7,
      cache_creation_input_token_cost: 0.00000375,
      input_cost_per_token_above_200k_tokens: 0.000006,
      output_cost_per_token_above_200k_tokens: 0.000018,
      max_input_tokens: 200_000,
      max_output_tokens: 8192,
      supports_vision: true,
      supports_pdf_input: true,
      supports_function_calling: true,
      supports_response_schema: true,
      supports_reasoning: false,
      deprecation_date: '2027-03-01',
    },
    'acme-embed': {
      litellm_provider: 'acme',
      mode: 'embedding',
      input_cost_per_token: 1e-7,
      output_cost_per_token: 0,
    },
    'house/house-model': { litellm_provider: 'house', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
  },
  openrouter: {
    data: [
      {
        id: 'acme/acme-large',
        context_length: 128_000,
        architecture: { input_modalities: ['text', 'image', 'file'], output_modalities: ['text'] },
        created: 1_768_435_200,
        supported_parameters: ['max_tokens', 'reasoning', 'tools'],
        top_provider: { max_completion_tokens: 4096 },
        pricing: { prompt: '0.000003', completion: '0.000012', input_cache_read: '0.0000003', request: '0' },
      },
      { id: 'acme/acme-free:free', pricing: { prompt: '0', completion: '0' } },
      { id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } },
    ],
  },
  priceList: {
    success: true,
    data: [
      {
        model_name: 'acme-large',
        quota_type: 0,
        model_ratio: 1.5,
        model_price: 0,
        completion_ratio: 4,
        cache_ratio: 0.1,
      },
      { model_name: 'acme-picture', quota_type: 1, model_ratio: 0, model_price: 0.04, completion_ratio: 0 },
      { model_name: 'acme-new', quota_type: 0, model_ratio: 37.5, completion_ratio: 1, price_source: 'none' },
    ],
    group_ratio: { default: 1 },
  },
  ratioConfig: {
    success: true,
    data: {
      model_ratio: { 'acme-large': 1.5 },
      completion_ratio: { 'acme-large': 4 },
      cache_ratio: { 'acme-large': 0.1 },
      model_price: { 'acme-picture': 0.04 },
    },
  },
  modelsDev: {
    reseller: { id: 'reseller', models: { 'mistral-tiny': { id: 'mistral-tiny', cost: { input: 9, output: 9 } } } },
    mistral: {
      id: 'mistral',
      models: {
        'mistral-tiny': {
          id: 'mistral-tiny',
          status: 'deprecated',
          tool_call: true,
          reasoning: false,
          release_date: '2023-12-11',
          modalities: { input: ['text', 'audio'], output: ['text'] },
          limit: { context: 32_000, output: 8000 },
          cost: {
            input: 0.25,
            output: 0.75,
            cache_read: 0.025,
            context_over_200k: { input: 0.5, output: 1 },
          },
        },
      },
    },
  },
};
