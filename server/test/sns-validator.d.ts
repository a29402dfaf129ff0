declare module 'sns-validator' {
  class MessageValidator {
    validate(message: object, answer: (error: Error | null) => void): void;
  }
  export = MessageValidator;
}
