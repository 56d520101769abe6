/** With a capital first letter: reasons and what is wrong with a field are written to follow a name. */
export const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
