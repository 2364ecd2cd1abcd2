"""What surrounds the routes: bodies, pages, errors, headers, guards."""
