/** The price of a video is one second of it at up to this size. */
export const pricedVideo = { width: 1280, height: 720 } as const;
/** What more pixels than that cost, as OpenAI's list has it: 0.50 in place of 0.30 dollars a second. */
export const largeVideoFactor = 5 / 3;

/** Models of the vendors whose videos we make (OpenAI; Zhipu's own and the Vidu models it sells). */
const videoModel = /^(sora|cogvideox|vidu)/i;

/** Whether the fixed price of a model is one of a second. */
export const isPricedBySecond = (model: string): boolean => videoModel.test(model);

const drawingOrSong = /^(mj_|suno_|swap_face$)/;

/** Whether calls of a model are drawings, songs or videos, which have no tokens. Others may be, too. */
export const isPaidByJob = (model: string): boolean => drawingOrSong.test(model) || isPricedBySecond(model);
