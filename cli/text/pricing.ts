/** Groups and prices. */
export const pricingText = {
  'help.group': { en: 'groups of users and channels: list, set, remove', zh: '用户与渠道分组：列出、设置、删除' },
  'help.groupList': { en: 'list groups with their ratio and who is in them', zh: '列出分组、倍率及其用户和渠道数' },
  'help.groupSet': {
    en: 'make a group, or change it; what is not named stays',
    zh: '新建或修改分组；未指定的内容保持不变',
  },
  'help.groupRemove': {
    en: 'delete groups; calls of users and tokens still in them are refused',
    zh: '删除分组；仍在其中的用户和令牌的调用将被拒绝',
  },
  'argument.group': { en: 'name of a group', zh: '分组名称' },
  'flag.groupRatio': { en: 'factor on every price in this group (1)', zh: '该分组的价格倍率（1）' },
  'flag.usable': { en: 'whether every user may choose it', zh: '是否所有用户可选' },
  'flag.groupDescription': { en: 'what those read who may choose it', zh: '向可选用户显示的描述' },
  'flag.topUpRatio': { en: 'factor on the money of an online top-up', zh: '在线充值价格倍率' },
  'group.set': { en: 'group {name} saved, ratio {ratio}', zh: '已保存分组 {name}，倍率 {ratio}' },
  'group.unchanged': { en: 'group {name} is so already, ratio {ratio}', zh: '分组 {name} 无需更改，倍率 {ratio}' },
  'group.removed': { en: 'group {name} deleted', zh: '已删除分组 {name}' },
  'group.askRemove': { en: 'Delete the group {name}?', zh: '删除分组 {name}？' },
  'group.askRemoveUsed': {
    en: 'Delete the group {name}, which {users} users, {tokens} tokens and {channels} channels use?',
    zh: '分组 {name} 正被 {users} 个用户、{tokens} 个令牌和 {channels} 个渠道使用，确定删除？',
  },

  'help.pricing': { en: 'prices of models: list, set, remove, reset', zh: '模型价格：列出、设置、删除、恢复默认' },
  'help.pricingList': {
    en: 'list the prices of what channels serve and of what you have priced, before the ratio of a group',
    zh: '列出渠道提供的模型及已定价模型的价格（未乘分组倍率）',
  },
  'help.pricingSet': {
    en: 'set ratios, or US dollars per million tokens, or US dollars per call',
    zh: '按倍率、每百万 token 美元价或每次美元价设置价格',
  },
  'help.pricingRemove': {
    en: 'take your own prices of models away: the built-in or list price holds again',
    zh: '删除模型的自定义价格，恢复内置价格或官方价格',
  },
  'help.pricingReset': { en: 'take all your own prices away', zh: '删除所有自定义价格' },
  'argument.models': {
    en: 'names of models, or - to read them from standard input',
    zh: '模型名称，或用 - 从标准输入读取',
  },
  'flag.priceModel': {
    en: 'part of the name; a whole name finds any model',
    zh: '模型名称的一部分；完整名称可查任意模型',
  },
  'flag.unpriced': { en: 'only models that channels serve and nobody has priced', zh: '只列出渠道提供但未定价的模型' },
  'flag.ownPrices': { en: 'only prices you have set', zh: '只列出自定义价格' },
  'flag.ratio': { en: 'model ratio; 1 = $2 per million prompt tokens', zh: '模型倍率；1 = 每百万输入 token 2 美元' },
  'flag.completionRatio': { en: 'completion tokens as a multiple of prompt tokens', zh: '补全倍率（相对输入）' },
  'flag.cacheRatio': { en: 'cached prompt tokens as a multiple of prompt tokens', zh: '缓存命中倍率（相对输入）' },
  'flag.createCacheRatio': {
    en: 'tokens written to the cache as a multiple of prompt tokens',
    zh: '缓存写入倍率（相对输入）',
  },
  'flag.inputDollars': { en: "prompt tokens per million, such as '$2.5'", zh: "每百万输入 token 美元价，例如 '$2.5'" },
  'flag.outputDollars': { en: 'completion tokens per million', zh: '每百万输出 token 美元价' },
  'flag.cachedDollars': { en: 'cached prompt tokens per million', zh: '每百万缓存命中 token 美元价' },
  'flag.cacheWriteDollars': { en: 'tokens written to the cache per million', zh: '每百万缓存写入 token 美元价' },
  'flag.priceDollars': {
    en: "a call or picture, such as '$0.04', whatever it holds",
    zh: "每次调用或每张图片美元价，例如 '$0.04'",
  },
  'pricing.byTokens': {
    en: '{model}: {input} in, {output} out, {cached} cached per million tokens',
    zh: '{model}：每百万 token 输入 {input}，输出 {output}，缓存 {cached}',
  },
  'pricing.byCall': { en: '{model}: {price} per call', zh: '{model}：每次 {price}' },
  'pricing.unchanged': { en: '{text} (unchanged)', zh: '{text}（未更改）' },
  'pricing.askRemove': { en: 'Take your own prices of {models} away?', zh: '删除 {models} 的自定义价格？' },
  'pricing.removed': { en: 'your own prices of {models} are gone', zh: '已删除 {models} 的自定义价格' },
  'pricing.noneOwn': { en: '{models}: no price of your own', zh: '{models}：没有自定义价格' },
  'pricing.askReset': { en: 'Take all prices you have set away.', zh: '删除所有自定义价格。' },
  'pricing.reset': { en: 'back at their defaults: {keys}', zh: '已恢复默认：{keys}' },
};
