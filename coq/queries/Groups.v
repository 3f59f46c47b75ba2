(** * GROUP BY as a fold by key

    The state of a group is a tuple of cells, one for each call: what has been combined so far. *)
From Tallystick.queries Require Export Compile.

(** ** What a step does *)
Definition call := (Q.aggregate * Q.expression)%type.
Definition argument (c : call) : Q.expression := match fst c with
  | Q.Count => Q.When (Q.IsNull (snd c)) (Q.Constant Q.Numbers Q.Null) (Q.Constant Q.Numbers (Q.Number 1)) | _ => snd c end.
Lemma argument_is db rs c : Q.value_of db rs (argument c) = Q.taken (fst c) (Q.value_of db rs (snd c)).
Proof. destruct c as [[] e]; cbn [argument fst snd Q.value_of]; destruct (Q.value_of db rs e); reflexivity. Qed.
Definition start (c : call) := Q.start (fst c).
Definition operation (c : call) := Q.operation (fst c).
Definition summary (c : call) (vs : list Q.value) := fold_left (Q.combined (operation c)) vs (start c).
Lemma summary_is db c rs : Q.summary (fst c) (map (fun r => Q.value_of db [r] (snd c)) rs) = summary c (map (fun r => Q.value_of db [r] (argument c)) rs).
Proof. unfold Q.summary, summary, operation, start. rewrite map_map. f_equal. apply map_ext. intros r. symmetry. apply argument_is. Qed.
Definition numbers (cs : list call) : list Q.kind := map (fun _ => Q.Numbers) cs.
Definition joined (c : call) (mf m n x : term) : term := match fst c with
  | Q.Least => ite mf x (ite n m (ite (Op Less [x; m]) x m))
  | Q.Greatest => ite mf x (ite n m (ite (Op Less [m; x]) x m))
  | _ => Op Add [m; x] end.
Fixpoint steps (T : ty) (i : nat) (cs : list call) : list term := match cs with
  | [] => []
  | c :: cs => let m := proj (Acc T) i in let x := proj (Elem T) i in
      Op Tuple [conj [proj m 0; proj x 0]; joined c (proj m 0) (proj m 1) (proj x 0) (proj x 1)] :: steps T (Datatypes.S i) cs
  end.
Definition starts (cs : list call) : list term :=
  map (fun c => Op Tuple [Bool (is_null (start c)); Int 0]) cs.
Fixpoint absorbed (cs : list call) (vs ws : Q.row) : Q.row := match cs with
  | [] => [] | c :: cs => Q.combined (operation c) (hd Q.Null vs) (hd Q.Null ws) :: absorbed cs (tl vs) (tl ws) end.
Lemma combined_kind f v w : of_kind Q.Numbers v = true -> of_kind Q.Numbers w = true -> of_kind Q.Numbers (Q.combined f v w) = true.
Proof. destruct v, w; cbn; auto. Qed.
Lemma absorbed_kinds cs vs ws : of_kinds (numbers cs) vs -> of_kinds (numbers cs) ws -> of_kinds (numbers cs) (absorbed cs vs ws).
Proof.
  revert vs ws; induction cs as [|c cs IH]; intros vs ws V W; inversion V; inversion W; subst; constructor; cbn [hd tl]; [|now apply IH].
  now apply combined_kind.
Qed.

Section Steps.
  Variables (en : env) (all : list call) (vs ws : Q.row).
  Hypotheses (EN : typed en) (V : of_kinds (numbers all) vs) (W : of_kinds (numbers all) ws).
  Let T := row_ty (numbers all).
  Notation place := (is_term en (Some T) (Some T) (enc (numbers all) ws) (enc (numbers all) vs)).
  Lemma step_is c mf m n x v w : of_kind Q.Numbers v = true -> of_kind Q.Numbers w = true ->
    place mf TBool (VBool (is_null v)) -> place m TInt (base Q.Numbers v) ->
    place n TBool (VBool (is_null w)) -> place x TInt (base Q.Numbers w) ->
    place (conj [mf; n]) TBool (VBool (is_null (Q.combined (operation c) v w))) /\
    place (joined c mf m n x) TInt (base Q.Numbers (Q.combined (operation c) v w)).
  Proof.
    intros KV KW A B C D.
    pose proof (conj_is en (Some T) (Some T) _ _ EN (enc_typed _ _) (enc_typed _ _) [mf; n] [_; _]
      ltac:(apply Forall2_cons; [exact A|apply Forall2_cons; [exact C|constructor]])) as E.
    assert (LESS : forall y z p q, place y TInt (VInt p) -> place z TInt (VInt q) -> place (Op Less [y; z]) TBool (VBool (p <? q))).
    { intros y z p q [Y1 Y2] [Z1 Z2]. split; cbn [typeof run]; [now rewrite Y1, Z1|]. rewrite Y2, Z2, Z.ltb_antisym. reflexivity. }
    assert (ITE : forall y z z' b p q, place y TBool (VBool b) -> place z TInt p -> place z' TInt q -> place (ite y z z') TInt (if b then p else q)).
    { intros. now apply (ite_is en (Some T) (Some T) _ _ EN (enc_typed _ _) (enc_typed _ _)). }
    assert (ADD : place (Op Add [m; x]) TInt (VInt (toZ (base Q.Numbers v) + (toZ (base Q.Numbers w) + 0)))).
    { destruct B as [B1 B2], D as [D1 D2]. split; cbn [typeof run map forallb fold_right]; [now rewrite B1, D1|]. now rewrite B2, D2. }
    assert (MX : forall p q, base Q.Numbers v = VInt p -> base Q.Numbers w = VInt q ->
        place (Op Less [x; m]) TBool (VBool (q <? p)) /\ place (Op Less [m; x]) TBool (VBool (p <? q))).
    { intros p q P Q. rewrite P in B. rewrite Q in D. split; now apply LESS. }
    assert (EQ : forall t a b, place t TInt a -> a = b -> place t TInt b) by (intros; subst; assumption).
    assert (L1 : forall p q, base Q.Numbers v = VInt p -> base Q.Numbers w = VInt q -> _)
      by (intros p q P Q; exact (ITE _ _ _ _ _ _ A D (ITE _ _ _ _ _ _ C B (ITE _ _ _ _ _ _ (proj1 (MX p q P Q)) D B)))).
    assert (L2 : forall p q, base Q.Numbers v = VInt p -> base Q.Numbers w = VInt q -> _)
      by (intros p q P Q; exact (ITE _ _ _ _ _ _ A D (ITE _ _ _ _ _ _ C B (ITE _ _ _ _ _ _ (proj2 (MX p q P Q)) D B)))).
    split; [destruct v, w; try discriminate; exact E|].
    assert (PQ : exists p q, base Q.Numbers v = VInt p /\ base Q.Numbers w = VInt q) by (destruct v, w; try discriminate; cbn; eauto).
    destruct PQ as (p & q & P & Q). specialize (L1 p q P Q). specialize (L2 p q P Q).
    assert (ADDED : place (Op Add [m; x]) TInt (base Q.Numbers (Q.combined Z.add v w))).
    { eapply EQ; [exact ADD|]. destruct v, w; try discriminate; cbn; f_equal; lia. }
    destruct c as [[] ex]; cbn [joined operation Q.operation fst]; try exact ADDED; [eapply EQ; [exact L1|]|eapply EQ; [exact L2|]];
      destruct v, w; try discriminate; cbn in P, Q |- *; inversion P; inversion Q; subst; try reflexivity;
      [destruct (Z.ltb_spec q p)|destruct (Z.ltb_spec p q)]; f_equal; lia.
  Qed.
End Steps.

(** ** All steps of a group *)
Lemma nth_kind ks r i k : of_kinds ks r -> nth_error ks i = Some k -> of_kind k (nth i r Q.Null) = true.
Proof. intros R. revert i; induction R; intros [|i]; cbn; try discriminate; intros; [congruence|auto]. Qed.
Lemma hd_skipn i (r : Q.row) : hd Q.Null (skipn i r) = nth i r Q.Null.
Proof. revert r; induction i; intros [|v r]; cbn [skipn hd nth]; auto. Qed.
Lemma tl_skipn {A} i (r : list A) : tl (skipn i r) = skipn (Datatypes.S i) r.
Proof. revert r; induction i; intros [|v r]; auto. cbn [skipn]. rewrite IHi. reflexivity. Qed.

Lemma steps_are en all vs ws : typed en -> of_kinds (numbers all) vs -> of_kinds (numbers all) ws -> let T := row_ty (numbers all) in
  forall cs i, (forall j c, nth_error cs j = Some c -> nth_error all (i + j) = Some c) ->
  sequence (map (typeof (Some T) (Some T)) (steps T i cs)) = Some (map cell_ty (numbers cs)) /\
  map (eval en (enc (numbers all) ws) (enc (numbers all) vs)) (steps T i cs) = cells (numbers cs) (absorbed cs (skipn i vs) (skipn i ws)).
Proof.
  intros EN V W T. induction cs as [|c cs IH]; intros i H; [split; reflexivity|]. cbn [steps map sequence numbers absorbed cells hd tl].
  assert (H0 : nth_error (numbers all) i = Some Q.Numbers).
  { specialize (H O c eq_refl). rewrite Nat.add_0_r in H. unfold numbers. now rewrite (map_nth_error _ _ _ H). }
  destruct (IH (Datatypes.S i)) as [I1 I2]; [intros j d J; replace (Datatypes.S i + j)%nat with (i + Datatypes.S j)%nat by lia; now apply H|].
  rewrite <- !tl_skipn in I2. fold (numbers cs). rewrite I1, I2, !hd_skipn. clear IH I1 I2 H.
  pose proof (nth_kind _ _ _ _ V H0) as KV. pose proof (nth_kind _ _ _ _ W H0) as KW.
  pose proof (nth_row_ty _ _ _ H0) as N.
  pose proof (proj_is en (Some T) (Some T) (enc (numbers all) ws) (enc (numbers all) vs) EN (enc_typed _ _) (enc_typed _ _)) as PR.
  assert (A : is_term en (Some T) (Some T) (enc (numbers all) ws) (enc (numbers all) vs) (proj (Acc T) i) (cell_ty Q.Numbers) (cell Q.Numbers (nth i vs Q.Null))).
  { rewrite <- (nth_cells _ _ _ vs H0). apply (PR (Acc T) i (map cell_ty (numbers all)) _ (enc (numbers all) vs)); auto.
    split; cbn [typeof run is]; auto. now rewrite ty_eqb_refl. }
  assert (B : is_term en (Some T) (Some T) (enc (numbers all) ws) (enc (numbers all) vs) (proj (Elem T) i) (cell_ty Q.Numbers) (cell Q.Numbers (nth i ws Q.Null))).
  { rewrite <- (nth_cells _ _ _ ws H0). apply (PR (Elem T) i (map cell_ty (numbers all)) _ (enc (numbers all) ws)); auto.
    split; cbn [typeof run is]; auto. now rewrite ty_eqb_refl. }
  destruct (step_is en all vs ws EN c _ _ _ _ _ _ KV KW (PR _ 0%nat _ _ _ A eq_refl) (PR _ 1%nat _ _ _ A eq_refl) (PR _ 0%nat _ _ _ B eq_refl) (PR _ 1%nat _ _ _ B eq_refl))
    as [[S1 S2] [S3 S4]]. fold T in S1, S2, S3, S4.
  split; cbn [typeof map sequence run]; [now rewrite S1, S3|]. now rewrite S2, S4.
Qed.
Definition step (cs : list call) := Op Tuple (steps (row_ty (numbers cs)) 0 cs).
Lemma fold_is en cs : typed en -> forall rs vs, of_kinds (numbers cs) vs -> Forall (of_kinds (numbers cs)) rs ->
  fold_left (fun m x => eval en x m (step cs)) (map (enc (numbers cs)) rs) (enc (numbers cs) vs) = enc (numbers cs) (fold_left (absorbed cs) rs vs).
Proof.
  intros EN. induction rs as [|ws rs IH]; intros vs V R; cbn [map fold_left]; auto. apply Forall_cons_iff in R as [W R].
  rewrite <- IH; auto using absorbed_kinds. f_equal.
  exact (f_equal VTup (proj2 (steps_are en cs vs ws EN V W cs O (fun j c H => H)))).
Qed.
Lemma step_type cs : typeof (Some (row_ty (numbers cs))) (Some (row_ty (numbers cs))) (step cs) = Some (row_ty (numbers cs)).
Proof.
  assert (N : of_kinds (numbers cs) (map (fun _ => Q.Null) cs)) by (induction cs; constructor; auto).
  cbn [step typeof]. unfold step. cbn [typeof]. now rewrite (proj1 (steps_are default_env cs _ _ default_env_typed N N cs O (fun j c H => H))).
Qed.
Lemma starts_are en cs : sequence (map (typeof None None) (starts cs)) = Some (map cell_ty (numbers cs)) /\
  map (eval en nothing nothing) (starts cs) = cells (numbers cs) (map start cs) /\ of_kinds (numbers cs) (map start cs).
Proof.
  induction cs as [|c cs (H1 & H2 & H3)]; [repeat split; constructor|]. cbn [starts map sequence numbers cells hd tl]. unfold starts in H1, H2.
  fold (numbers cs). rewrite H1, H2. repeat split; [destruct c as [[] ?]; reflexivity|]. constructor; auto. now destruct c as [[] ?].
Qed.

Definition arguments (db : Q.database) (cs : list call) (r : Q.row) : Q.row := map (fun c => Q.value_of db [r] (argument c)) cs.
Lemma fold_columns db cs rs : forall f, fold_left (absorbed cs) (map (arguments db cs) rs) (map f cs) =
  map (fun c => fold_left (Q.combined (operation c)) (map (fun r => Q.value_of db [r] (argument c)) rs) (f c)) cs.
Proof.
  induction rs as [|r rs IH]; intros f; cbn [map fold_left]; auto.
  replace (absorbed cs (map f cs) (arguments db cs r)) with (map (fun c => Q.combined (operation c) (f c) (Q.value_of db [r] (argument c))) cs); [apply IH|].
  clear. induction cs as [|c cs IH]; cbn; auto. now rewrite IH.
Qed.
Lemma summary_perm c vs vs' : Permutation vs vs' -> (forall v, In v vs -> of_kind Q.Numbers v = true) -> summary c vs = summary c vs'.
Proof.
  intros P K. apply (fold_left_perm _ (fun v => of_kind Q.Numbers v = true) (fun v => of_kind Q.Numbers v = true)).
  - intros v w; apply combined_kind.
  - intros v w x V W X. destruct v, w, x; try discriminate; cbn; auto; destruct c as [[] ?]; cbn; f_equal; lia.
  - exact P.
  - apply Forall_forall. exact K.
  - now destruct c as [[] ?].
Qed.
