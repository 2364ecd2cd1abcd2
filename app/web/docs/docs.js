SwaggerUIBundle({
  // Without the name and the password that the address of the page may have: it is shown.
  url: new URL("openapi.json", location.href).href,
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null, // else the description is sent to a service on the web
});
