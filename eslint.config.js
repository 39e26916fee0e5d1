/* Limits of our scripts. tsc finds undefined names. */
import js from "@eslint/js";

const limits = {
  complexity: ["error", 14],
  "max-depth": ["error", 3],
  "max-lines": ["error", { max: 250, skipBlankLines: true, skipComments: true }],
  "max-lines-per-function": ["error", { max: 40 }],
  "max-params": ["error", 5],
};

export default [
  { ignores: ["**/vendor/", "**/bundles/", "staticfiles/", "var/", ".venv*/", ".pytest_cache/"] },
  js.configs.recommended,
  {
    rules: {
      ...limits,
      eqeqeq: "error",
      "no-undef": "off",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
