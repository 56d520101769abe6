/** The events of a Responses stream as its bytes tell them. */
export function readResponsesEvents(text: string): Record<string, unknown>[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const [name = '', data = ''] = block.split('\n');
      const event = JSON.parse(data.replace(/^data: /, '')) as Record<string, unknown>;
      if (name !== `event: ${event.type}`) throw new Error(`${name} stands above ${String(event.type)}`);
      return event;
    });
}
