/** What frameworks and their tutorials say of any form that was refused, in five languages. */
export const genericSentences: readonly string[] = `
The given data was invalid
The given data is invalid
The provided data is invalid
Invalid data
Invalid data sent
Invalid data provided
Invalid input
Invalid input data
Invalid inputs
Invalid inputs passed, please check your data
Invalid request
Invalid request body
Invalid request data
Invalid request parameters
Invalid request payload
Invalid request payload input
Invalid request payload JSON format
Invalid payload
Invalid body
Invalid parameters
Invalid params
Invalid field
Invalid fields
Invalid value
Invalid values
Invalid form data
Invalid user data
Request validation failed
Request validation error
Request body is invalid
The request body is invalid
The request is invalid
Request body contains invalid attributes
Request failed validation
Your request is not valid
Your request parameters didn't validate
Bad request syntax
Bad request exception
Bad request error
Validation
Validation failed
Validation failure
Validation error
Validation errors
Validation error occurred
Validation errors occurred
Validation exception
Validation problem
Validation failed for one or more fields
Validation failed for one or more entities
Schema validation failed
Schema validation error
Input validation failed
Input validation error
Form validation failed
Form is invalid
The form is invalid
The submitted data was invalid
The submitted data is invalid
Data validation failed
Data validation error
Data is not valid
Entity validation failed
User validation failed
Model validation failed
Parameter validation failed
Parameters validation failed
One or more validation errors occurred
One or more validation failures have occurred
One or more fields are invalid
One or more fields raised validation errors
One or more fields contain incorrect values
One or more errors occurred
The following errors were detected during validation
There were validation errors
There are validation errors
There were errors with your submission
There was a validation error
There was an error
There was a problem
There was a problem with your request
There was an error with your request
There was a problem validating your request
Multiple validation errors
Please check the form
Please check your input
Please fix the errors below
Please correct the errors below
Unprocessable
Unprocessable entity error
Unprocessable entity exception
The request was well-formed but was unable to be followed due to semantic errors
Constraint violation
Constraint violations
Argument not valid
Invalid argument
Method argument not valid
Invalid request content
Failed to read request
Invalid record
Record invalid
Could not be saved
Failed to create record
Failed to create user
Failed to register
Failed to register user
Failed to save user
Error creating user
Error registering user
Error during registration
Error while registering
Could not create user
Unable to create user
User not created
User could not be created
User could not be registered
User registration failed
User creation failed
Registration failed
Registration error
Registration unsuccessful
Register failed
Signup failed
Sign up failed
Could not register
Login failed
Authentication error
Conflict error
Conflict exception
Duplicate
Duplicate error
Duplicate key
Duplicate key error
Database error
Integrity error
Something went wrong
Something went wrong, please try again
Something went wrong, please try again later
An error occurred
An error has occurred
An unexpected error occurred
An unknown error occurred
Error occurred
Unexpected error
Unknown error
Server error
Server failed
Internal error
Oops
Oops, something went wrong
Error
Errors
Failed
Failure
Fail
False
Exception
Request failed
The request failed
Operation failed
Http exception
Api error
Custom error
Los datos proporcionados no son válidos
Los datos proporcionados son inválidos
Los datos dados son inválidos
Los datos enviados no son válidos
Los datos ingresados no son válidos
Los datos son inválidos
Los datos no son válidos
Algunos datos no son válidos
Algunos campos no son válidos
Datos inválidos
Datos no válidos
Datos incorrectos
Datos incompletos
La información proporcionada no es válida
Error de validación
Errores de validación
Error de validación de datos
Error en la validación
Error en la validación de datos
Error en la validación de los datos
Error al validar
Error al validar los datos
Falló la validación
La validación falló
La validación ha fallado
Validación fallida
Solicitud inválida
Solicitud no válida
Solicitud incorrecta
Petición incorrecta
Petición inválida
Parámetros inválidos
Entidad no procesable
Ha ocurrido un error
Ocurrió un error
Se produjo un error
Hubo un error
Algo salió mal
Error interno
Error interno del servidor
Error del servidor
Error desconocido
Error inesperado
Error al registrar
Error al registrar usuario
Error al registrar el usuario
Error al registrarse
Error al crear usuario
Error al crear el usuario
Error al crear la cuenta
Error en el registro
Registro fallido
No se pudo registrar
No se pudo registrar el usuario
No se pudo crear el usuario
Conflicto
Revisa los datos
Revise los datos
Os dados fornecidos são inválidos
Os dados fornecidos não são válidos
Os dados informados são inválidos
Os dados enviados são inválidos
Dados inválidos
Dados incorretos
Erro de validação
Erros de validação
Erro na validação
Erro na validação dos dados
Falha na validação
Falha de validação
Requisição inválida
Solicitação inválida
Parâmetros inválidos
Ocorreu um erro
Algo deu errado
Erro interno
Erro interno do servidor
Erro no servidor
Erro inesperado
Erro desconhecido
Erro ao cadastrar
Erro ao cadastrar usuário
Erro ao registrar
Erro ao registrar usuário
Erro ao criar usuário
Erro ao criar o usuário
Erro no cadastro
Falha no cadastro
Falha ao criar usuário
Les données fournies sont invalides
Les données fournies étaient invalides
Les données fournies ne sont pas valides
Les données envoyées sont invalides
Les données saisies sont invalides
Les données sont invalides
Données invalides
Données non valides
Erreur de validation
Erreurs de validation
La validation a échoué
Échec de la validation
Échec de validation
Requête invalide
Requête incorrecte
Mauvaise requête
Une erreur est survenue
Une erreur s'est produite
Erreur serveur
Erreur interne
Erreur interne du serveur
Erreur inconnue
Erreur lors de l'inscription
Erreur lors de la création de l'utilisateur
Échec de l'inscription
L'inscription a échoué
Die gegebenen Daten waren ungültig
Die angegebenen Daten sind ungültig
Die übermittelten Daten sind ungültig
Die eingegebenen Daten sind ungültig
Die Daten sind ungültig
Ungültige Daten
Ungültige Eingabe
Ungültige Eingaben
Ungültige Anfrage
Fehlerhafte Anfrage
Validierungsfehler
Validierung fehlgeschlagen
Die Validierung ist fehlgeschlagen
Eingabefehler
Ein Fehler ist aufgetreten
Es ist ein Fehler aufgetreten
Etwas ist schiefgelaufen
Serverfehler
Interner Serverfehler
Interner Fehler
Unbekannter Fehler
Registrierung fehlgeschlagen
Die Registrierung ist fehlgeschlagen
Fehler bei der Registrierung
Benutzer konnte nicht erstellt werden
`
  .trim()
  .split('\n');
