import { systemActor } from '../../../../core/schemas/actor.ts';
import { type ModelPrice, priceSetSchema } from '../../../../core/schemas/pricing.ts';
import { Form, type FormValues } from '../../components/form.tsx';
import { useEnvironment } from '../../environment.ts';

interface PriceFormProps {
  price: ModelPrice;
  onSaved(): void;
}

/** Dollars per million tokens, or per call. What is left as it is stays, whatever else changes. */
export function PriceForm({ price, onSaved }: PriceFormProps) {
  const { app, speak } = useEnvironment();
  const { model } = price;
  const written = (value: number | null) => (value === null ? '' : String(value));
  const initial: FormValues = {
    input: written(price.input),
    output: written(price.output),
    cached: written(price.cached),
    price: written(price.price),
  };
  const changed = (values: FormValues) =>
    Object.fromEntries(Object.entries(values).filter(([name, text]) => text !== '' && text !== initial[name]));
  const sentence = (saved: ModelPrice): string => {
    const dollars = (value: number | null) => (value === null ? '-' : `$${value}`);
    if (saved.price !== null) return speak('pricing.byCall', { model, price: dollars(saved.price) });
    const figures = { input: saved.input, output: saved.output, cached: saved.cached };
    const shown = Object.entries(figures).map(([name, value]) => [name, dollars(value)]);
    return speak('pricing.byTokens', { model, ...Object.fromEntries(shown) });
  };
  const perMillion = speak('tui.pricing.hint.tokens');
  return (
    <Form
      title={speak('tui.pricing.title', { model })}
      fields={[
        { name: 'input', label: speak('tui.pricing.field.input'), hint: perMillion },
        { name: 'output', label: speak('tui.pricing.field.output'), hint: perMillion },
        { name: 'cached', label: speak('tui.pricing.field.cached'), hint: perMillion },
        { name: 'price', label: speak('tui.pricing.field.call'), hint: speak('tui.pricing.hint.call') },
      ]}
      initial={initial}
      schema={priceSetSchema}
      toInput={(values) => ({ ...changed(values), model })}
      save={async (input) => {
        if (Object.keys(input).length === 1) return speak('pricing.unchanged', { text: sentence(price) });
        return sentence((await app.services.priceSettings.set(systemActor, input)).price);
      }}
      onSaved={onSaved}
    />
  );
}
