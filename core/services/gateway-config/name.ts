/** Names that a configuration of another gateway may have; JSON is YAML. */
export const isConfigName = (file: string): boolean => /\.(ya?ml|json)$/i.test(file);
