"""The endpoint: check the body, lock the game, play, answer with the game."""

from uuid import UUID

from django.db import transaction
from django.shortcuts import get_object_or_404
from rest_framework.exceptions import PermissionDenied
from rest_framework.parsers import JSONParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import Game
from tests.benchmarks.twin.authentication import TokenAuthentication
from tests.benchmarks.twin.playing import play
from tests.benchmarks.twin.serializers import GameSerializer, PlaySerializer


class PlayView(APIView):
    authentication_classes = [TokenAuthentication]
    permission_classes = [IsAuthenticated]
    parser_classes = [JSONParser]
    renderer_classes = [JSONRenderer]

    def post(self, request: Request, game_id: UUID) -> Response:
        serializer = PlaySerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        with transaction.atomic():
            game = get_object_or_404(Game.objects.select_for_update(), id=game_id)
            seat = game.seats.filter(player=request.user).first()
            if seat is None:
                raise PermissionDenied("You hold no seat in this game.")
            play(game, seat, **serializer.validated_data)
        return Response(GameSerializer(game, context={"seat": seat.number}).data)
