import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { geminiModel } from '../../wire/gemini/model-rule.ts';
import { writeSafetySettings } from '../../wire/gemini/safety.ts';
import { UsageMetadata } from '../../wire/gemini/usage.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { aspectRatio, imageSize } from './image-size.ts';

type Drawing = Pick<Required<UpstreamRequest>, 'body' | 'readResponse'> & { action: 'predict' | 'generateContent' };

interface DrawingContext {
  provider: string;
  safety: Readonly<Record<string, string>>;
}

const imagenRatios = ['1:1', '3:4', '4:3', '9:16', '16:9'];
const geminiRatios = [...imagenRatios, '2:3', '3:2', '4:5', '5:4', '21:9'];
const maxImagenPictures = 4;

/** What a call may ask for; Gemini's own models draw one. */
export function maxPictures(model: string): number {
  return isImagenModel(model) ? maxImagenPictures : 1;
}

function isImagenModel(model: string): boolean {
  return model.startsWith('imagen');
}

/** An OpenAI images call for a model that draws: Imagen's `predict`, or generateContent with pictures in the response. */
export function toDrawing(call: UpstreamCall, context: DrawingContext): Drawing {
  const { model, request } = call;
  const count = request.units.images?.count ?? 1;
  const refuse = (field: string) =>
    new AppError('provider.fieldNotOffered', { provider: context.provider, field }, { param: field });
  if (request.stream) throw refuse('stream');
  if (call.fields.value('background') === 'transparent') throw refuse('background');
  if (count > maxPictures(model)) throw refuse('n');
  return isImagenModel(model) ? drawWithImagen(call, count) : drawWithGemini(call, context);
}

function drawWithImagen(call: UpstreamCall, sampleCount: number): Drawing {
  const ratio = aspectRatio(call.fields.value('size'), imagenRatios);
  return {
    action: 'predict',
    body: {
      instances: [{ prompt: call.fields.value('prompt') }],
      parameters: { sampleCount, ...(ratio && { aspectRatio: ratio }) },
    },
    readResponse(response) {
      const predictions = recordsOf(recordOf(response).predictions);
      const pictures = predictions.map(({ bytesBase64Encoded, mimeType }) => ({ data: bytesBase64Encoded, mimeType }));
      const reason = predictions.map(({ raiFilteredReason }) => textOf(raiFilteredReason)).find(Boolean);
      return writePictures(call, pictures, reason);
    },
  };
}

function drawWithGemini(call: UpstreamCall, { safety }: DrawingContext): Drawing {
  const { fields, model } = call;
  const size = fields.value('size');
  const ratio = aspectRatio(size, geminiRatios);
  // Older models draw in one size and refuse the question.
  const resolution = geminiModel(model).isThird ? imageSize(size) : undefined;
  const imageConfig = { ...(ratio && { aspectRatio: ratio }), ...(resolution && { imageSize: resolution }) };
  return {
    action: 'generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: fields.value('prompt') }] }],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
      },
      safetySettings: writeSafetySettings(safety),
    },
    readResponse(response) {
      const { candidates, promptFeedback, usageMetadata } = recordOf(response);
      const drawn = recordsOf(candidates);
      const parts = drawn.flatMap(({ content }) => recordsOf(recordOf(content).parts));
      const pictures = parts.filter(({ thought }) => thought !== true).map(({ inlineData }) => inlineData);
      const blocked = textOf(recordOf(promptFeedback).blockReason);
      const ending = drawn
        .map(({ finishReason }) => textOf(finishReason))
        .find((name) => name !== '' && name !== 'STOP');
      const said = parts.map(({ text }) => textOf(text)).join('');
      const reason = [blocked || ending, said].filter(Boolean).join(': ');
      return {
        ...writePictures(call, pictures.filter(isJsonObject), reason),
        ...writeImageUsage(usageMetadata, model),
      };
    },
  };
}

/** An OpenAI response; pictures have no address here, so one that is asked for contains the picture itself. */
function writePictures({ fields, now = 0 }: UpstreamCall, pictures: JsonObject[], reason: string | undefined) {
  const drawn = pictures.filter(({ data }) => textOf(data) !== '');
  if (drawn.length === 0) {
    const said = reason ? coded('upstream.notDrawnFor', { said: reason }) : coded('upstream.notDrawn');
    throw new UpstreamError({ status: 400, coded: said, kind: 'policy', code: 'content_policy_violation' });
  }
  const wantsUrl = fields.value('response_format') === 'url';
  return {
    created: Math.floor(now / 1000),
    data: drawn.map(({ data, mimeType }) =>
      wantsUrl ? { url: `data:${textOf(mimeType) || 'image/png'};base64,${data}` } : { b64_json: data },
    ),
  };
}

function writeImageUsage(metadata: unknown, model: string): JsonObject {
  const counts = new UsageMetadata();
  counts.add(metadata);
  const usage = counts.read(model);
  if (!usage) return {};
  const { prompt, completion, imageInput = 0, imageOutput = 0 } = usage;
  return {
    usage: {
      input_tokens: prompt,
      input_tokens_details: { text_tokens: prompt - imageInput, image_tokens: imageInput },
      output_tokens: completion,
      output_tokens_details: { text_tokens: completion - imageOutput, image_tokens: imageOutput },
      total_tokens: prompt + completion,
    },
  };
}
